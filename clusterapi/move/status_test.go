package move

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/clusterapi/move/internal/journal"
)

func TestReadStatus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.json")
	if _, err := ReadStatus(t.Context(), Options{Journal: path}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("have error %v without a file, want that it does not exist", err)
	}
	for _, row := range []struct {
		document            string
		resume, rollBack    bool
		wantError, wantText string
	}{
		{`{"version":1,"id":"a","phase":"Pausing","plan":{}}`, true, true, "", ""},
		{`{"version":1,"id":"a","phase":"Deleting","plan":{},"failure":"x"}`, true, true, "", "x"},
		{`{"version":1,"id":"a","phase":"Cleaning","plan":{}}`, true, false, "", ""},
		{`{"version":1,"id":"a","phase":"Done","plan":{}}`, false, false, "", ""},
		{`{"version":1,"id":"a","phase":"RollingBack","plan":{}}`, false, true, "", ""},
		{`{"version":1,"id":"a","phase":"RolledBack","plan":{}}`, false, false, "", ""},
		{`{"version":2,"id":"a","plan":{}}`, false, false, "its version is 2", ""},
		{`{"version":1,"id":"a"}`, false, false, "the plan is missing", ""},
		{`{"version":1,"plan":{}}`, false, false, "the ID or the plan is missing", ""},
		{`{"version":1,"id":"a","phase":"Done","plan":{"items":[null]}}`, false, false, "plan.items[0] is null, want an item", ""},
		{`{"version":1,"id":"a/b","phase":"Done","plan":{}}`, false, false, `no move can have the name "a/b"`, ""},
		{`{"version":1,"id":"a","phase":"Dreaming","plan":{}}`, false, false, `phase is "Dreaming", want one such as Creating`, ""},
		{`{"version":1,"id":"a","phase":"Creating","step":1,"plan":{}}`, false, false, "step is 1, want a number from 0 to 0", ""},
		{`{"version":1,"id":"a","phase":"Creating","step":-1,"plan":{}}`, false, false, "step is -1, want a number from 0 to 0", ""},
		{`{"version":1,"id":"a","phase":"Creating","window":-5,"plan":{}}`, false, false, "window is -5ns, want a positive duration", ""},
		{`{"version":1,"id":"a","phase":"Creating","plan":{"steps":1000000000}}`, false, false, "plan.steps is 1000000000, want a number from 0 to 0", ""},
		{`[]`, false, false, path, ""},
	} {
		if err := journal.File(path).Save(t.Context(), []byte(row.document)); err != nil {
			t.Fatal(err)
		}
		s, err := ReadStatus(t.Context(), Options{Journal: path})
		switch {
		case row.wantError != "":
			if err == nil || !strings.Contains(err.Error(), row.wantError) {
				t.Errorf("%s: have error %v, want %s", row.document, err, row.wantError)
			}
		case err != nil:
			t.Errorf("%s: %v", row.document, err)
		case s.MayResume != row.resume || s.MayRollBack != row.rollBack || s.Failure != row.wantText:
			t.Errorf("%s: have %+v", row.document, s)
		}
	}
	if _, err := ReadStatus(t.Context(), Options{JournalNamespace: "kstatus"}); err == nil {
		t.Error("no error without an ID")
	}
}
