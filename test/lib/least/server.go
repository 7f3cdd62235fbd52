package least

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/least/standin"
)

// A Server creates users for command lines. New returns one.
type Server struct {
	command string // the path of kstatus
	admin   *rest.Config
	client  kubernetes.Interface
	socket  string

	mu     sync.Mutex // guards the fields below
	stages map[string]*Stage
	users  map[string]*user // by name
}

// A Stage is an environment for command lines, such as a script.
type Stage struct {
	Name      string
	Namespace string   // the namespace of the users
	Secrets   bool     // kstatus rbac is called with --secrets
	Except    []string // command lines that run as the script's user

	t testing.TB
}

// A user is the service account for one command line.
type user struct {
	stage                 *Stage
	args                  []string
	stderr                string // standard error of kstatus rbac
	grants                []grant
	served                map[string]bool // the resources that the API server served before the roles were printed, as "deployments.apps"
	terminatingNamespaces map[string]bool // the namespaces of other tests that were being deleted, and could get no role
}

// New starts a Server, which ends with the test. command is the path of kstatus, and admin is
// the configuration for creating users.
func New(t testing.TB, command string, admin *rest.Config) *Server {
	t.Helper()
	client, err := kubernetes.NewForConfig(admin)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "least-") // socket paths must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{command: command, admin: admin, client: client, socket: filepath.Join(dir, "socket"), stages: map[string]*Stage{}, users: map[string]*user{}}
	listener, err := net.Listen("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			serving.Go(func() { s.serve(from) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	return s
}

// Add adds a stage, whose users end with the test t. It returns the environment for its command
// lines.
func (s *Server) Add(t testing.TB, stage Stage) (environment []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stage.t = t
	s.stages[stage.Name] = &stage
	return []string{standin.Socket + "=" + s.socket, standin.Stage + "=" + stage.Name}
}

// serve answers one request.
func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	var r standin.Request
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return // the stand-in reports it
	}
	s.mu.Lock()
	stage := s.stages[r.Stage]
	s.mu.Unlock()
	a := standin.Answer{Command: s.command, Kubeconfig: r.Kubeconfig}
	err := fmt.Errorf("no stage %q", r.Stage)
	if stage != nil {
		err = s.prepare(stage, r, &a)
	}
	if err != nil {
		a.Error = err.Error()
	}
	_ = json.NewEncoder(conn).Encode(a) // the stand-in reports it
}

// prepare creates the user for a command line, unless it runs as another user.
func (s *Server) prepare(stage *Stage, r standin.Request, a *standin.Answer) (err error) {
	if len(r.Input) > 0 {
		a.Stdin = filepath.Join(stage.t.TempDir(), "stdin")
		if err := os.WriteFile(a.Stdin, r.Input, 0o600); err != nil {
			return err
		}
	}
	kubeconfig, err := clientcmd.LoadFromFile(r.Kubeconfig)
	if err != nil || !stage.runsAsLeast(r.Args) {
		return nil // no cluster, or no permissions needed
	}
	for _, who := range kubeconfig.AuthInfos {
		if who.Token != s.admin.BearerToken {
			return nil
		}
	}
	name, token, err := s.account(stage)
	if err != nil {
		return err
	}
	served, err := s.servedResources()
	if err != nil {
		return err
	}
	u := &user{stage: stage, args: r.Args, served: served, terminatingNamespaces: map[string]bool{}}
	for _, args := range byContext(r.Args) {
		roles, err := s.print(u, name, args, r)
		if err != nil {
			return err
		}
		grants, err := s.grant(u, roles)
		if err != nil {
			return fmt.Errorf("%v: %w", args, err)
		}
		u.grants = append(u.grants, grants...)
	}
	s.mu.Lock()
	s.users["system:serviceaccount:"+stage.Namespace+":"+name] = u
	s.mu.Unlock()
	for _, who := range kubeconfig.AuthInfos {
		who.Token = token
	}
	a.Kubeconfig = filepath.Join(stage.t.TempDir(), "kubeconfig")
	return clientcmd.WriteToFile(*kubeconfig, a.Kubeconfig)
}

// servedResources returns the resources that the API server serves now, such as "deployments.apps".
func (s *Server) servedResources() (map[string]bool, error) {
	_, lists, err := s.client.Discovery().ServerGroupsAndResources()
	if err != nil && !discovery.IsGroupDiscoveryFailedError(err) {
		return nil, err
	}
	all := map[string]bool{}
	for _, list := range lists {
		group, _, _ := strings.Cut(list.GroupVersion, "/")
		for _, r := range list.APIResources {
			all[r.Name+"."+group] = true
		}
	}
	return all, nil
}

// runsAsLeast reports whether a command line runs as a user of its own. The exceptions are those
// of the stage, and
//   - kstatus rbac, which needs permission to find the objects of the command line;
//   - command lines with --as, which sets the user;
//   - shell completion, which offers the readable objects.
func (stage *Stage) runsAsLeast(args []string) bool {
	excepted := len(args) == 0 || args[0] == "rbac" || args[0] == "__complete" || slices.Contains(args, "--as")
	return !excepted && !slices.Contains(stage.Except, strings.Join(args, " "))
}

// account creates a service account without permissions, and returns its name and a token.
func (s *Server) account(stage *Stage) (name, token string, err error) {
	ctx := context.Background()
	accounts := s.client.CoreV1().ServiceAccounts(stage.Namespace)
	made, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{GenerateName: "least-"}}, metav1.CreateOptions{})
	if err != nil {
		return "", "", err
	}
	answer, err := accounts.CreateToken(ctx, made.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return "", "", err
	}
	return made.Name, answer.Status.Token, nil
}

// byContext returns a command line for each of the contexts in --contexts, because roles apply
// to one cluster.
func byContext(args []string) (all [][]string) {
	i := slices.Index(args, "--contexts")
	if i < 0 || i+1 == len(args) {
		return [][]string{args}
	}
	for context := range strings.SplitSeq(args[i+1], ",") {
		one := slices.Clone(args)
		one[i], one[i+1] = "--context", context
		all = append(all, one)
	}
	return all
}

// print returns the roles and bindings that kstatus rbac prints for a command line.
func (s *Server) print(u *user, account string, args []string, r standin.Request) (text []byte, err error) {
	if slices.Contains(args, "--local") || slices.Contains(args, "--from") {
		return nil, nil // the command line makes no request
	}
	own := []string{"rbac", "--optional", "--serviceaccount", u.stage.Namespace + ":" + account}
	if u.stage.Secrets {
		own = append(own, "--secrets")
	}
	cmd := exec.Command(s.command, append(append(own, "--"), args...)...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+r.Kubeconfig, "HOME="+u.stage.t.TempDir())
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(r.Input), &out, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return nil, err
	}
	u.stderr += said.String() // with its warnings; missing permissions show in the audit log
	return io.ReadAll(&out)
}

// grant applies roles and bindings, and returns once the API server applies them.
func (s *Server) grant(u *user, printed []byte) (all []grant, err error) {
	objects, err := apply.Parse(printed)
	if err != nil {
		return nil, err
	}
	var last grants
	for _, o := range objects {
		g, err := s.apply(u.stage, o.Object)
		if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) || apierrors.IsNotFound(err) {
			u.terminatingNamespaces[o.GetNamespace()] = true
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, g...)
		last.note(o.Object)
	}
	return all, last.wait(s.client)
}
