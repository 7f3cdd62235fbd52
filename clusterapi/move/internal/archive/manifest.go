package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/text"
)

const (
	manifestName = "manifest.json"
	// maxManifest is the largest size of a manifest in bytes. One of 100,000 objects has less.
	maxManifest = 256 << 20
	// format is the format of an archive.
	format = "kstatus.dev/move-archive/v1"
)

// A manifest lists the files of an archive in the order of their creation.
type manifest struct {
	Format string    `json:"format"`
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Source string    `json:"source"`
	// SHA256 is of the compact JSON of Files.
	SHA256 string `json:"sha256"`
	Files  []file `json:"files"`
}

// An identity is the identity of an object.
type identity struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	ObjectName string `json:"objectName"`
	UID        string `json:"uid"`
}

// String returns the identity for messages.
func (i identity) String() string {
	name := i.ObjectName
	if i.Namespace != "" {
		name = i.Namespace + "/" + name
	}
	return text.Line(fmt.Sprintf("%s %s of %s with UID %s", i.Kind, name, i.APIVersion, i.UID))
}

func identityOf(o *unstructured.Unstructured) identity {
	return identity{o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName(), string(o.GetUID())}
}

// A file is the file of an object.
type file struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	identity
	Step         int      `json:"step"`
	Owners       []string `json:"owners,omitempty"` // UIDs
	Decision     string   `json:"decision"`
	PausedBefore *bool    `json:"pausedBefore,omitempty"`
}

func newManifest(h Header) *manifest {
	return &manifest{Format: format, ID: h.ID, Time: h.Time.UTC(), Source: h.Source, Files: []file{}}
}

func (m *manifest) header() Header { return Header{ID: m.ID, Time: m.Time, Source: m.Source} }

// add adds a file and returns its content.
func (m *manifest) add(e Entry) ([]byte, error) {
	f := file{identity: identityOf(e.Object), Step: e.Step, Decision: e.Decision, PausedBefore: e.PausedBefore}
	for _, owner := range e.Object.GetOwnerReferences() {
		f.Owners = append(f.Owners, string(owner.UID))
	}
	content, err := encodeObject(e.Object)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.identity, err)
	case len(content) > maxFile:
		return nil, fmt.Errorf("%s has %d bytes, want at most %d", f.identity, len(content), maxFile)
	}
	f.Name, f.SHA256 = nameOf(e.Step, e.Object), hash(content)
	m.Files = append(m.Files, f)
	return content, nil
}

// encode returns the manifest as JSON. The error names objects that occur twice.
func (m *manifest) encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	sum, err := m.hashOfFiles()
	if err != nil {
		return nil, err
	}
	m.SHA256 = sum
	encoded, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(encoded, '\n'), nil
}

// hashOfFiles returns the SHA-256 of the list of files.
func (m *manifest) hashOfFiles() (string, error) {
	encoded, err := json.Marshal(m.Files)
	return hash(encoded), err
}

// decode returns the manifest that encode has encoded.
func decode(encoded []byte) (*manifest, error) {
	m := &manifest{}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	if err := decoder.Decode(m); err != nil {
		return nil, fmt.Errorf("it is not a manifest of a move: %s", text.Line(err.Error()))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has something after its end")
	}
	if m.Format != format {
		return nil, fmt.Errorf("its format is %q, want %q", text.Line(m.Format), format)
	}
	sum, err := m.hashOfFiles()
	switch {
	case err != nil:
		return nil, err
	case sum != m.SHA256:
		return nil, errors.New("its list of files was changed: its SHA-256 does not match")
	}
	return m, m.check()
}

// check checks each file, and that no name and no object occurs twice.
func (m *manifest) check() error {
	names, uids, objects := map[string]bool{}, map[string]bool{}, map[string]bool{}
	step := 0
	for i := range m.Files {
		f := &m.Files[i]
		group, _, _ := strings.Cut(f.APIVersion, "/")
		if !strings.Contains(f.APIVersion, "/") {
			group = ""
		}
		object := strings.Join([]string{group, f.Kind, f.Namespace, f.ObjectName}, "\x00")
		name := strings.ToLower(f.Name) // some file systems ignore case
		switch {
		case !isName(f.Name):
			return fmt.Errorf("%q is not a name of a file of an archive", text.Line(f.Name))
		case names[name]:
			return fmt.Errorf("it lists file %s twice", f.Name)
		case objects[object] || f.UID != "" && uids[f.UID]:
			return fmt.Errorf("it lists %s twice", f.identity)
		case f.APIVersion == "" || f.Kind == "" || f.ObjectName == "":
			return fmt.Errorf("file %s has no apiVersion, kind or objectName", f.Name)
		case f.Step < step:
			return fmt.Errorf("file %s of step %d comes after one of step %d", f.Name, f.Step, step)
		}
		names[name], objects[object], uids[f.UID], step = true, true, true, f.Step
	}
	return nil
}

// hash returns the SHA-256 of data in hexadecimal digits.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
