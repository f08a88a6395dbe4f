package mirror_test

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// rule explains one kind of disagreement between a database and its logs.
type rule struct {
	name string
	// fact is what is known about the two, with the place in format.md.
	fact     string
	explains func(d difference) bool
}

const (
	onlyDB  = "block only in database"
	onlyLog = "block only in log"
)

// starts reports whether a block, or any other value, begins with one of the texts.
func starts(s string, with ...string) bool {
	return slices.ContainsFunc(with, func(p string) bool { return strings.HasPrefix(s, p) })
}

var rules = []rule{
	{"same JSON", "§3.3: the log unfolds \\u escapes of arguments; the value is the same", func(d difference) bool {
		return d.what == "arguments" && canonical(d.db) == canonical(d.line)
	}},
	{"stale status", "§3.3: status RUNNING stays in the log when the step went on; what it gave in the end is not there", func(d difference) bool {
		if d.logStep.GetStatus() != "RUNNING" || d.dbStep.GetStatus() == "RUNNING" {
			return false
		}
		return d.what == "status" || d.what == "completed" || d.what == onlyDB ||
			d.what == onlyLog && starts(d.line, "notice||Did not finish", "key_values|Background task|")
	}},
	{"output so far", "§3.3: of a command that runs in the background only the file with its output is named", func(d difference) bool {
		return d.logStep.GetStatus() == "RUNNING" && d.dbStep.GetStatus() == "RUNNING" && d.what == onlyDB && starts(d.db, "code|Output")
	}},
	{"lost call", "§3.3 damage: the line before is not in the log, and with it the call", func(d difference) bool {
		return d.lost && d.logStep.GetCall() == nil && (d.what == "call" || d.what == "arguments" || d.what == "summary" ||
			d.what == onlyDB && starts(d.db, "key_values|Arguments|"))
	}},
	{"approval of a task", "§1.5 task_details: whether a task waits for approval of its input is not in the log", func(d difference) bool {
		const approval = "\nWaits for approval of input: yes"
		return d.what == onlyDB && strings.HasPrefix(d.db, "key_values|Background task|") && strings.HasSuffix(d.db, approval) &&
			has(d.logStep, strings.TrimSuffix(d.db, approval)) ||
			d.what == onlyLog && strings.HasPrefix(d.line, "key_values|Background task|") && has(d.dbStep, d.line+approval)
	}},
	{"no completion time", "§3.3: only results of tools begin with Completed At", func(d difference) bool {
		return d.what == "completed" && d.line == "" && slices.Contains(untimed, d.dbStep.GetKind())
	}},
	{"reason of the stop", "§3.3 keys: why the model stopped is not in the log, and failed attempts are not", func(d difference) bool {
		return d.dbStep.GetKind() == "PLANNER_RESPONSE" && (d.what == onlyDB &&
			starts(d.db, "notice||The model stopped", "code|Failed attempt|", "key_values|Failed attempt|") ||
			d.what == onlyLog && d.line == "notice||Nothing was recorded in this step.")
	}},
	{"new or written over", "§3.3 CODE_ACTION: «Created file» is said of both, so that only the content is known", func(d difference) bool {
		if d.dbStep.GetCall().GetName() != "write_to_file" || !strings.Contains(d.dbStep.GetCall().GetArgumentsJson(), `"Overwrite":true`) {
			return false
		}
		return d.what == onlyDB && starts(d.db, "diff|") ||
			d.what == onlyLog && starts(d.line, "code|New content|", "key_values||File: ")
	}},
	{"facts of an edit", "§1.5 code_action: artifact, diagnostics and checks are not in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "CODE_ACTION" && d.what == onlyDB &&
			starts(d.db, "key_values||Artifact", "key_values||Asks for feedback", "code|Artifact summary|", "code|Lint errors|", "code|Errors this change introduced|", "notice||invalid image path")
	}},
	{"lines of a diff", "§3.3 CODE_ACTION: the log has the product's own hunks, which count the empty end of a file as a line; " +
		"the corpus has its words replaced, paths with backslashes otherwise than URIs", func(d difference) bool {
		mine, theirs := d.line, d.dbStep
		if d.what == onlyDB {
			mine, theirs = d.db, d.logStep
		}
		changed := changedLines(mine)
		return changed != "" && slices.ContainsFunc(theirs.GetBlocks(), func(b *transcriptv1.Block) bool { return changedLines(block(b)) == changed })
	}},
	{"words of the corpus", "the corpus has its words replaced: names of arguments and paths with backslashes otherwise", func(d difference) bool {
		return d.what == "summary" && d.dbStep.GetKind() == "LIST_DIRECTORY" && strings.Count(d.db, "/") == strings.Count(d.line, "/") ||
			d.dbStep.GetKind() == "GENERIC" && sameValues(d) ||
			d.dbStep.GetKind() == "GENERATE_IMAGE" && (starts(d.db, "media|") || starts(d.line, "media|"))
	}},
	{"display of a generic step", "§1.5 generic: render_info and result.metadata are not in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "GENERIC" && d.what == onlyDB &&
			starts(d.db, "key_values|Details|", "key_values||Title: ", "key_values||Priority: ", "markdown||", "code|task_description|", "code|input|")
	}},
	{"model of an image", "§1.5: the model that made an image is not in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "GENERATE_IMAGE" && strings.Contains(d.db+d.line, "key_values||Image: ")
	}},
	{"texts of an error", "§3.3 keys: error holds the text for the model alone, error_code the number", func(d difference) bool {
		if d.dbStep.GetKind() != "ERROR_MESSAGE" && d.dbStep.GetStatus() != "ERROR" {
			return false
		}
		return d.what == onlyDB && starts(d.db, "notice||", "code|Short error|", "code|Full error|", "code|Told to the model|",
			"code|Details|", "code|Server details|", "code|Error|", "key_values||Error", "key_values||Shown to the person") ||
			d.what == onlyLog && starts(d.line, "notice||", "key_values||Error code") || d.what == "summary"
	}},
	{"records of a message", "§1.5 system_message: title, event, ids, recipient and source are not in the log", func(d difference) bool {
		if d.dbStep.GetKind() != "SYSTEM_MESSAGE" {
			return false
		}
		return d.what == "summary" || d.what == onlyDB && starts(d.db, "key_values||", "key_values|About call|", "json|Arguments of that call|") ||
			d.what == onlyLog && starts(d.line, "key_values||From: ")
	}},
	{"triggers of a reminder", "§3.3: why a reminder was given is not in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "EPHEMERAL_MESSAGE" && (d.what == "summary" || d.what == onlyDB && starts(d.db, "key_values||Trigger: "))
	}},
	{"what was added to a prompt", "§3.3 USER_INPUT: metadata and settings are added for the model; files, mentions and comments are not in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "USER_INPUT" && (d.what == onlyLog && starts(d.line, "text|Added by the product|", "text|Settings change|") ||
			d.what == onlyDB && starts(d.db, "media|", "key_values|"))
	}},
	{"steps of a subagent", "§1.5: what a browser subagent did is a trajectory of its own in the database, a list behind its result in the log", func(d difference) bool {
		return d.dbStep.GetKind() == "BROWSER_SUBAGENT" && starts(d.line, "text|Steps of the subagent|")
	}},
	{"prompts of a checkpoint", "§3.3 CHECKPOINT: prompts are numbered in one text, and may have numbers of their own", func(d difference) bool {
		return d.dbStep.GetKind() == "CHECKPOINT" && (starts(d.db, "markdown|Request|") && strings.Contains(d.db, "\n1. ") ||
			starts(d.line, "markdown|Request|1. "))
	}},
	{"logs of a checkpoint", "§1.5 checkpoint: its list of logs is part of the text for the model", func(d difference) bool {
		return d.dbStep.GetKind() == "CHECKPOINT" && d.what == onlyDB && starts(d.db, "key_values||Log: ")
	}},
}

// untimed are kinds without a line that says when they were completed.
var untimed = []string{"PLANNER_RESPONSE", "CHECKPOINT", "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "SYSTEM_MESSAGE", "USER_INPUT"}

func canonical(text string) string {
	v := jsontext.Value(text)
	if err := v.Canonicalize(); err != nil {
		return text
	}
	return string(v)
}

// changedLines returns the lines that a diff block takes away and adds.
func changedLines(text string) string {
	rest, ok := strings.CutPrefix(text, "diff||")
	if !ok {
		return ""
	}
	var list []string
	for i, line := range strings.Split(rest, "\n") {
		if i > 1 && starts(line, "+", "-") {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

// sameValues reports whether both forms have arguments that differ in nothing but their names.
func sameValues(d difference) bool {
	mine, theirs := d.line, d.dbStep
	if d.what == onlyDB {
		mine, theirs = d.db, d.logStep
	}
	values := argumentValues(mine)
	return values != nil && slices.ContainsFunc(theirs.GetBlocks(), func(b *transcriptv1.Block) bool {
		return slices.Equal(argumentValues(block(b)), values)
	})
}

func argumentValues(text string) []string {
	rest, ok := strings.CutPrefix(text, "key_values|Arguments|")
	if !ok {
		return nil
	}
	var list []string
	for line := range strings.SplitSeq(rest, "\n") {
		_, value, _ := strings.Cut(line, ": ")
		list = append(list, value)
	}
	slices.Sort(list)
	return list
}
