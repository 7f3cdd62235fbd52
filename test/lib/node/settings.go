//go:build linux

package node

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"kstatus.dev/test/lib/node/boot"
	"kstatus.dev/test/lib/node/cgroup"
	"kstatus.dev/test/lib/node/image"
)

//go:embed config
var config embed.FS

var templates = template.Must(template.ParseFS(config, "config/*"))

// settings are the values in the configuration files of a Node.
type settings struct {
	Name, IP, Dir, Group, CAFile string
	Containerd, Runc             string // the folder, and the file
	Registry, Pause, Subnet, DNS string
}

func (n *Nodes) settings(i int) settings {
	return settings{
		Name: Name(i), IP: address(i), Dir: filepath.Join(n.options.Dir, Name(i)), Group: cgroup.Own(),
		CAFile: n.options.CAFile, Containerd: n.options.Programs.Containerd, Runc: filepath.Join(n.bin(), "runc"),
		Registry: n.registry.Address(), Pause: image.Pause, Subnet: fmt.Sprintf("10.244.%d.0/24", 100+i), DNS: dnsIP,
	}
}

// sysctls are the values of kernel settings that a kubelet wants. It would set them for the whole
// machine.
var sysctls = map[string]string{
	"vm.overcommit_memory": "1", "vm.panic_on_oom": "0", "kernel.panic": "10", "kernel.panic_on_oops": "1",
	"kernel.keys.root_maxkeys": "1000000", "kernel.keys.root_maxbytes": "25000000",
}

func (s settings) render(name string) (string, error) {
	var text bytes.Buffer
	err := templates.ExecuteTemplate(&text, name, s)
	return text.String(), err
}

// write writes the configuration files of the kubelet, of containerd and of CNI.
func (s settings) write() error {
	files := map[string]string{"resolv.conf": "nameserver " + dnsIP + "\n"}
	for name, value := range sysctls {
		files[filepath.Join(filepath.Base(boot.Sysctls(s.Dir)), name)] = value + "\n"
	}
	for name, file := range map[string]string{
		"kubelet.yaml": "kubelet.yaml", "containerd.toml": "containerd.toml", "ptp.conflist": "cni/10-ptp.conflist",
	} {
		var err error
		if files[file], err = s.render(name); err != nil {
			return err
		}
	}
	for _, host := range image.Hosts {
		var err error
		if files[filepath.Join("registries", host, "hosts.toml")], err = s.render("hosts.toml"); err != nil {
			return err
		}
	}
	for name, content := range files {
		path := filepath.Join(s.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
