package interpret

import "testing"

// TestDeclaredNamesExist finds a name that no profile knows: a field that would read as absent for ever.
func TestDeclaredNamesExist(t *testing.T) {
	t.Parallel()
	if missing := load(t).Resolve(&names).Missing(); len(missing) > 0 {
		t.Errorf("not in profile %s: %v", profileName, missing)
	}
}
