package move

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/kube/move/internal/journal"
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
		{`{"version":1,"id":"a","plan":{"items":[null]}}`, false, false, "the plan is missing", ""},
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
