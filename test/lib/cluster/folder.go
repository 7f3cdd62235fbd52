package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// folderPrefix is the prefix of the names of all temporary folders of clusters.
const folderPrefix = "kstatus-cluster-"

// folder creates the folder of a cluster, a temporary one if dir is empty. It locks the folder
// until unlock or the end of this process. It also removes the old folders of clusters whose
// process has ended without cleaning up.
func folder(dir string) (made string, unlock func(), err error) {
	if dir == "" {
		sweep(os.TempDir())
		if dir, err = os.MkdirTemp("", folderPrefix); err != nil {
			return "", nil, err
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	unlock, err = tryLock(filepath.Join(dir, "lock"))
	if errors.Is(err, errLocked) {
		return "", nil, fmt.Errorf("a cluster runs in %s already", dir)
	}
	return dir, unlock, err
}

// leftover is how long the folder of such a cluster is kept for its logs.
const leftover = time.Hour

// sweep removes the folders of clusters that ended without cleaning up: those with an old lock
// that no process holds. Folders that cannot be removed stay.
func sweep(parent string) {
	found, err := filepath.Glob(filepath.Join(parent, folderPrefix+"*", "lock"))
	if err != nil {
		return
	}
	for _, file := range found {
		info, err := os.Stat(file)
		if err != nil || time.Since(info.ModTime()) < leftover {
			continue
		}
		unlock, err := tryLock(file)
		if err != nil {
			continue
		}
		os.RemoveAll(filepath.Dir(file))
		unlock()
	}
}

// Running reports whether a cluster runs or starts in a folder that was given as Options.Dir.
func Running(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, "lock")); err != nil {
		return false
	}
	unlock, err := tryLock(filepath.Join(dir, "lock"))
	if err == nil {
		unlock()
	}
	return errors.Is(err, errLocked)
}
