// Package image serves images to the Nodes of package node, from a registry in this process. It
// builds the images itself: all of them contain the program of test/cmd/node as /app.
package image

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// newImage returns an image for this processor that runs /app with an argument.
func newImage(layer v1.Layer, arg string) (v1.Image, error) {
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture = "linux", runtime.GOARCH
	file.Config = v1.Config{Entrypoint: []string{"/app"}, Cmd: []string{arg}, Env: []string{"PATH=/"}}
	return mutate.ConfigFile(image, file)
}

// foreign returns an image for another processor only.
func foreign() v1.ImageIndex {
	return mutate.AppendManifests(empty.Index, mutate.IndexAddendum{
		Add: empty.Image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "s390x"}},
	})
}

// newLayer returns the files of all images: the program /app, /garbage, which is no program, and the
// folder /tmp.
func newLayer(program string) (v1.Layer, error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, file := range []struct {
		header  tar.Header
		content []byte
	}{
		{tar.Header{Name: "tmp", Typeflag: tar.TypeDir, Mode: 0o1777}, nil},
		{tar.Header{Name: "app", Mode: 0o755}, content},
		{tar.Header{Name: "garbage", Mode: 0o755}, []byte("garbage")},
	} {
		file.header.Size = int64(len(file.content))
		if err := w.WriteHeader(&file.header); err != nil {
			return nil, err
		}
		if _, err := w.Write(file.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(archive.Bytes())), nil
	})
}
