package interpret_test

import (
	"testing"

	"agy-reader/sources/interpret"
)

func TestUnifiedDiff(t *testing.T) {
	t.Parallel()
	const hunks = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n \n@@ -9 +9,2 @@ func\n-x\n+y\n+z\n\\ No newline at end of file\n"
	b := interpret.UnifiedDiff("file:///w/a.go", "edit", hunks)
	d := b.GetDiff()
	if d.GetAdditions() != 3 || d.GetDeletions() != 2 || len(d.GetHunks()) != 2 || d.GetLanguage() != "go" || d.GetChange() != "edit" {
		t.Fatalf("%v", d)
	}
	for i, want := range []string{"@@ -1,3 +1,3 @@\n a\n-b\n+B\n ", "@@ -9 +9,2 @@ func\n-x\n+y\n+z\n\\ No newline at end of file"} {
		h := d.GetHunks()[i]
		if got := b.GetText()[h.GetTextOffset() : h.GetTextOffset()+h.GetTextLength()]; got != want {
			t.Errorf("hunk %d: %q", i, got)
		}
	}
	if h := d.GetHunks()[1]; h.GetOldStart() != 9 || h.GetOldLines() != 1 || h.GetNewLines() != 2 {
		t.Errorf("%v", h)
	}
	if got := interpret.UnifiedDiff("file:///w/a", "create", "@@ -0,0 +1 @@\n+x").GetText(); got != "--- /dev/null\n+++ /w/a\n@@ -0,0 +1 @@\n+x" {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{
		"", "text", "@@ -1,2 +1,2 @@\n-a\n", "@@ -1 +1 @@\n-a\n+b\n c", "@@ -1 +1 @@\n[5 bytes omitted by agy]\n+b", "@@ -x +1 @@\n-a\n+b",
		"@@ -1,99999999999 +1 @@\n-a", "@@ +1 -1 @@",
	} {
		if b := interpret.UnifiedDiff("u", "edit", bad); b != nil {
			t.Errorf("%q became %q", bad, b.GetText())
		}
	}
}
