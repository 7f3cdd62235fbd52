package node

import "io"

// Label is on every Node of this package, with the value true.
const Label = "kstatus.dev/real"

// ServiceIP is the address of the Service kubernetes.default, and dnsIP that of the DNS server. Without
// kube-proxy, the network of the Nodes has these addresses itself.
const (
	ServiceIP = "10.96.0.1"
	dnsIP     = "10.96.0.10"
)

// Options describes the Nodes of a cluster.
type Options struct {
	// Dir is a folder for data and logs. A path of more than 80 characters is too long for the
	// sockets in it.
	Dir string
	// Kubeconfigs are the kubeconfig files of the Nodes, one for each. A Node has the name of its
	// user: system:node:NAME.
	Kubeconfigs []string
	// APIServer is the host and the port of the API server, on loopback.
	APIServer string
	// CAFile has the certificate authority of the API server's client certificate.
	CAFile   string
	Programs Programs
	// Log receives messages about unexpected exits.
	Log io.Writer
}

// Programs are the folders and files of the programs of a Node.
type Programs struct {
	Kubelet    string // the file
	Containerd string // the folder with containerd, its shim and the plugins of CNI
	Runc       string // the file
	// Seccomp reports whether runc can handle seccomp profiles.
	Seccomp bool
}

// Name returns the name of a Node: real-1, real-2, …
func Name(i int) string { return "real-" + string(rune('1'+i)) }

// Program is a program of a Node.
type Program string

const (
	Kubelet    Program = "kubelet"
	Containerd Program = "containerd"
)
