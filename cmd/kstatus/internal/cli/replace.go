package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
)

// ReplaceFile writes a file whole or not at all: into a new file beside it, which
// then takes its name. The new file gets the mode, less what the umask forbids.
func ReplaceFile(name string, mode os.FileMode, write func(*os.File) error) error {
	file, err := os.OpenFile(fmt.Sprintf("%s.%s.tmp", name, rand.Text()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
