package flux

import (
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	peerengine "github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	peerobject "github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
)

// Options returns the options of a poller with the verdicts of a mode and the reads of [Readers].
// An empty part of the mode is that of [dropin.Right].
//
// The status reader of these options is for all kinds, so readers of the program must come first:
//
//	options := dropinflux.Options(mapper, dropin.Right)
//	options.CustomStatusReaders = append([]engine.StatusReader{mine}, options.CustomStatusReaders...)
func Options(mapper meta.RESTMapper, m dropin.Mode) polling.Options {
	return polling.Options{
		CustomStatusReaders:  []peerengine.StatusReader{converted{readers.Config{Mode: orRight(m)}.Default(mapper)}},
		ClusterReaderFactory: Readers(),
	}
}

// Readers returns the factory of the readers that a poller uses. For each round such a reader plans
// the requests. At most five objects of a kind in a namespace are read by their names. More are
// read with one list, in pages, except for Secrets. The ReplicaSets of all Deployments in a
// namespace are one list, and so are the Pods of all workloads. Only the requested objects and their
// children are kept. What may not be listed is read object by object, as by the direct reader of
// cli-utils.
func Readers() peerengine.ClusterReaderFactory {
	return peerengine.ClusterReaderFactoryFunc(
		func(reader client.Reader, mapper meta.RESTMapper, ids peerobject.ObjMetadataSet) (peerengine.ClusterReader, error) {
			return clusterreader.NewDirectClusterReader(reader, mapper, convertIDs(ids))
		})
}
