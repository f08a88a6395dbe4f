package interpret

import (
	"agy-reader/sources/profile"
)

// mentionNames are the fields that name a mentioned thing, by kind of mention.
var mentionNames = map[string][]profile.Field{
	"file":               {pathURI, pathOldURI},
	"directory":          {pathURI, pathOldURI},
	"rule":               {in(common + "RuleScopeItem")("rule_name"), in(common + "RuleScopeItem")("rule_path")},
	"conversation":       {in(common + "ConversationScopeItem")("title"), in(common + "ConversationScopeItem")("id")},
	"terminal":           {in(common + "TerminalScopeItem")("name"), in(common + "TerminalScopeItem")("process_id")},
	"mcp_prompt":         {in(common + "McpPromptScopeItem")("name")},
	"mcp_resource":       {in(common + "McpResourceItem")("name"), in(common + "McpResourceItem")("uri")},
	"recipe":             {in(common + "RecipeScopeItem")("title"), in(common + "RecipeScopeItem")("recipe_id")},
	"browser_page":       {in(common + "BrowserPageScopeItem")("title"), in(common + "BrowserPageScopeItem")("url")},
	"browser_code_block": {in(common + "BrowserCodeBlockScopeItem")("title"), in(common + "BrowserCodeBlockScopeItem")("url")},
	"browser_text":       {in(common + "BrowserTextScopeItem")("url")},
	"file_line_range":    {in(common + "FileLineRange")("absolute_uri")},
	"text_block":         {in(common + "TextBlock")("label")},
	"knowledge":          {in(common + "KnowledgeBaseScopeItem")("display_name")},
	"code_context":       {in(common + "CodeContextItem")("node_name")},
}

// mentionName returns what a mention points at, in few words.
func (b *builder) mentionName(scope profile.View) string {
	kind, member, _ := scope.Which("scope_item")
	for _, f := range mentionNames[kind] {
		if name := member.Str(f); name != "" {
			if kind == "file" || kind == "directory" || kind == "file_line_range" {
				return baseOf(name)
			}
			return name
		}
	}
	if kind == "" {
		return "mention"
	}
	return kind
}

// mention shows every value of a mention under its kind.
func (b *builder) mention(scope profile.View) {
	kind, member, ok := scope.Which("scope_item")
	if !ok {
		return
	}
	b.flushFacts("")
	before := len(b.a.scratch.blocks)
	b.flat(kind, member)
	if len(b.a.scratch.facts) == 0 && len(b.a.scratch.blocks) == before {
		b.fact("Mention", kind)
	}
	b.flushFacts("Mention")
}
