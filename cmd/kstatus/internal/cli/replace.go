package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
)

// ReplaceFile replaces a file atomically: it writes a new file in the same directory and renames
// it. The mode of the new file is mode without the bits of the umask.
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
