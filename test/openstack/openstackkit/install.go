package openstackkit

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

//go:embed openstack.sh services
var files embed.FS

// scriptName is the name of the script in the folder of a kit.
const scriptName = "openstack.sh"

// packages returns the folder that all kits share: configurations from Debian's packages that
// are not installed, because they would start services.
func packages() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "kstatus", "openstack-packages")
}

// Install installs Debian's packages of OpenStack where they are missing, which takes two and a
// half minutes. It needs Debian 12 and the rights of root.
func Install(ctx context.Context, log io.Writer) error {
	dir := packages()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// Processes install one after the other.
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("locking %s: %w", lock.Name(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return nil
	}
	if reason := obstacle(); reason != "" {
		return fmt.Errorf("OpenStack cannot be installed here: %s; run as root on Debian 12 with access to its packages: make openstack-up", reason)
	}
	temporary, err := os.MkdirTemp("", "kstatus-openstack-install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := unpack(temporary); err != nil {
		return err
	}
	if log != nil {
		fmt.Fprintln(log, "installing OpenStack, which takes two to three minutes")
	}
	return run(ctx, filepath.Join(temporary, scriptName), append(os.Environ(), "PACKAGES="+dir), log, "install")
}

// obstacle returns why the packages cannot be installed, empty if they can.
func obstacle() string {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "there is no apt-get"
	}
	if os.Geteuid() != 0 {
		return "this user is not root"
	}
	release, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return err.Error()
	}
	if !strings.Contains(string(release), "VERSION_CODENAME=bookworm") {
		return "this is not Debian 12 (bookworm)"
	}
	return ""
}

// unpack writes the script and the start programs of the services to a folder.
func unpack(dir string) error {
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, path)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o755)
	})
}

// run runs the script. Its output goes to log, and the end of it into the error.
func run(ctx context.Context, script string, env []string, log io.Writer, arguments ...string) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, script, arguments...)
	cmd.Env = env
	cmd.Stdout = &said
	if log != nil {
		cmd.Stdout = io.MultiWriter(&said, log)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(said.String())
		return fmt.Errorf("%s %s: %w: %s", scriptName, strings.Join(arguments, " "), err, text[max(0, len(text)-2000):])
	}
	return nil
}
