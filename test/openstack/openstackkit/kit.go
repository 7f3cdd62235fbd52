package openstackkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// A Service is one of the programs of OpenStack.
type Service string

// The services, in the order in which they start.
const (
	Keystone  Service = "keystone"
	Placement Service = "placement"
	Glance    Service = "glance"
	Neutron   Service = "neutron"
	Nova      Service = "nova"
	Octavia   Service = "octavia"
)

var services = []Service{Keystone, Placement, Glance, Neutron, Nova, Octavia}

// Options are the options of Start.
type Options struct {
	// Dir is the folder for databases, logs and process IDs. Empty means a temporary one, which
	// Stop removes.
	Dir string
	// Detached lets the services run after this process has ended. Otherwise they end with it,
	// however it ends.
	Detached bool
	// Log receives what the script prints. Nil discards it.
	Log io.Writer
}

// A Kit is a running OpenStack.
type Kit struct {
	state    state
	log      io.Writer
	detached bool
	remove   bool      // the folder is a temporary one
	guard    *exec.Cmd // stops the services when its standard input ends
	life     io.Closer // the standard input of guard
}

// state is what another process needs to use a kit: the file kit.json in its folder.
type state struct {
	Dir      string
	Password string
	Ports    map[Service]int
}

// Start installs what is missing, creates the databases, and starts all services. It returns
// when they answer. If it fails, it stops what it has started, and keeps the logs.
func Start(ctx context.Context, o Options) (*Kit, error) {
	if entries, err := os.ReadDir(o.Dir); err == nil && o.Dir != "" && len(entries) > 0 {
		return nil, fmt.Errorf("the folder %s of an OpenStack must be empty: stop the one that runs there, or remove the folder", o.Dir)
	}
	if err := Install(ctx, o.Log); err != nil {
		return nil, err
	}
	k := &Kit{log: o.Log, detached: o.Detached, remove: o.Dir == ""}
	k.state.Dir = o.Dir
	var err error
	if k.remove {
		if k.state.Dir, err = os.MkdirTemp("", "kstatus-openstack-"); err != nil {
			return nil, err
		}
	}
	if k.state.Dir, err = filepath.Abs(k.state.Dir); err != nil {
		return nil, err
	}
	k.state.Password = strconv.FormatUint(rand.Uint64(), 36)
	if k.state.Ports, err = freePorts(); err != nil {
		return nil, err
	}
	if err := k.prepare(); err != nil {
		return nil, err
	}
	if err := k.script(ctx, "up"); err != nil {
		k.remove = false
		return nil, errors.Join(err, k.Stop())
	}
	return k, nil
}

// prepare writes the script and the file kit.json, and starts the guard.
func (k *Kit) prepare() error {
	if err := unpack(k.state.Dir); err != nil {
		return err
	}
	data, err := json.Marshal(k.state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(k.state.Dir, stateFile), data, 0o600); err != nil {
		return err
	}
	if k.detached {
		return nil
	}
	// The pipe closes when this process ends, for any reason.
	k.guard = exec.Command("/bin/sh", "-c", `cat; exec "$0" down`, filepath.Join(k.state.Dir, scriptName))
	k.guard.Env = k.state.environ()
	k.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C in the terminal must not reach it
	if k.life, err = k.guard.StdinPipe(); err != nil {
		return err
	}
	return k.guard.Start()
}

// stateFile is the name of the file with the state.
const stateFile = "kit.json"

// Open returns the kit that runs in a folder, which another process has started as Detached. The
// error matches fs.ErrNotExist if none does.
func Open(dir string, log io.Writer) (*Kit, error) {
	data, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err != nil {
		return nil, err
	}
	k := &Kit{log: log, detached: true}
	if err := json.Unmarshal(data, &k.state); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, stateFile), err)
	}
	return k, nil
}

// Dir returns the folder of the databases, logs and process IDs.
func (k *Kit) Dir() string { return k.state.Dir }

// Stop stops all services, and removes the folder if it is a temporary one.
func (k *Kit) Stop() error {
	var err error
	if k.detached {
		err = k.script(context.Background(), "down")
	} else {
		err = errors.Join(k.life.Close(), k.guard.Wait())
	}
	if err == nil && k.remove {
		err = os.RemoveAll(k.state.Dir)
	}
	return err
}

// StopService stops one service. Clients then find its port closed.
func (k *Kit) StopService(ctx context.Context, s Service) error {
	return k.script(ctx, "stop", string(s))
}

// StartService starts a service that was stopped, and returns when it answers.
func (k *Kit) StartService(ctx context.Context, s Service) error {
	return k.script(ctx, "start", string(s))
}

// Running reports whether a service's process exists.
func (k *Kit) Running(s Service) bool {
	data, err := os.ReadFile(filepath.Join(k.state.Dir, "pid", string(s)))
	if err != nil {
		return false
	}
	var pid int
	if _, err := fmt.Sscan(string(data), &pid); err != nil {
		return false
	}
	return syscall.Kill(pid, 0) == nil
}

// script runs the script that lies in the folder.
func (k *Kit) script(ctx context.Context, arguments ...string) error {
	return run(ctx, filepath.Join(k.state.Dir, scriptName), k.state.environ(), k.log, arguments...)
}

// environ returns the variables that the script reads.
func (s state) environ() []string {
	env := append(os.Environ(), "STATE="+s.Dir, "PASSWORD="+s.Password, "PACKAGES="+packages())
	for service, port := range s.Ports {
		env = append(env, fmt.Sprintf("PORT_%s=%d", service, port))
	}
	return env
}

// freePorts returns a free port for each service. They lie below those that Linux gives to
// clients, so that a service that was stopped finds its port free again.
func freePorts() (map[Service]int, error) {
	ports := map[Service]int{}
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for range 1000 {
		if len(ports) == len(services) {
			return ports, nil
		}
		port := 20000 + rand.IntN(12000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		held = append(held, l)
		ports[services[len(ports)]] = port
	}
	return nil, errors.New("1000 attempts have found no six free ports of 127.0.0.1 between 20000 and 32000")
}
