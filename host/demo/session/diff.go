package session

import "strings"

// diff turns lines marked with ` `, `+` and `-` into the product's whole-file diff and the old file.
func diff(marked string) (block obj, original string, stats obj) {
	kinds := map[byte]string{' ': "UNCHANGED", '+': "INSERT", '-': "DELETE"}
	var lines []obj
	var old []string
	added, deleted := 0, 0
	for line := range strings.SplitSeq(strings.TrimPrefix(marked, "\n"), "\n") {
		if line == "" {
			continue
		}
		kind := kinds[line[0]]
		lines = append(lines, obj{"text": line[1:], "type": "UNIFIED_DIFF_LINE_TYPE_" + kind})
		switch kind {
		case "INSERT":
			added++
		case "DELETE":
			deleted++
		}
		if kind != "INSERT" {
			old = append(old, line[1:])
		}
	}
	block = obj{"unifiedDiff": obj{"lines": lines}}
	if len(old) > 0 {
		block["endLine"] = len(old) - 1
		original = strings.Join(old, "\n") + "\n"
	}
	return block, original, obj{"additions": added, "deletions": deleted}
}

// edit is the body of a change of an existing file, created that of a new file, deleted that of a file that went.
func edit(file, instruction, marked string) obj {
	block, original, stats := diff(marked)
	return obj{"codeAction": obj{
		"actionSpec": obj{"command": obj{
			"instruction": instruction, "isEdit": true, "file": obj{"absoluteUri": workspace + "/" + file},
		}},
		"actionResult": obj{"edit": obj{"absoluteUri": workspace + "/" + file, "diff": block, "originalContent": original}},
		"description":  instruction, "diffStats": stats,
	}}
}

func created(file, instruction, marked string) obj {
	block, _, stats := diff(marked)
	return obj{"codeAction": obj{
		"actionSpec":   obj{"createFile": obj{"instruction": instruction, "path": obj{"absoluteUri": workspace + "/" + file}}},
		"actionResult": obj{"edit": obj{"absoluteUri": workspace + "/" + file, "diff": block, "createFile": true}},
		"description":  instruction, "diffStats": stats,
	}}
}

func deleted(file, marked string) obj {
	block, original, stats := diff(marked)
	return obj{"codeAction": obj{
		"actionSpec":   obj{"deleteFile": obj{"path": obj{"absoluteUri": workspace + "/" + file}}},
		"actionResult": obj{"edit": obj{"absoluteUri": workspace + "/" + file, "diff": block, "originalContent": original}},
		"diffStats":    stats,
	}}
}

// view is the body of a file that was read; first counts from 0.
func view(file, content string, first, total int) obj {
	lines := strings.Count(strings.TrimSuffix(content, "\n"), "\n")
	return obj{"viewFile": obj{
		"absolutePathUri": workspace + "/" + file, "startLine": first, "endLine": first + lines, "content": content,
		"numLines": total, "numBytes": len(content), "lineRangeBytes": len(content),
	}}
}
