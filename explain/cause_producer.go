package explain

import (
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// SecretProducers returns the kinds whose controllers create Secrets. If a Secret does not exist,
// such an object may show why.
func SecretProducers() []status.Kind { return reference.SecretProducers() }

// creatorsOf returns the known objects whose controllers are to create a missing Secret.
func (x *index) creatorsOf(missing status.ID) []*object {
	if missing.Kind != secret {
		return nil
	}
	if x.creators == nil {
		x.creators = map[status.ID][]*object{}
		for _, o := range x.all {
			if o.Object == nil {
				continue
			}
			for _, name := range reference.ProducedSecrets(o.ID.Kind, o.section.Section) {
				creates := o.refer(secret, o.ID.Namespace, name)
				x.creators[creates] = append(x.creators[creates], o)
			}
		}
	}
	return x.creators[missing]
}

// producerQueries returns the lists of the objects that may have to create the missing Secrets of
// an object.
func (o *object) producerQueries() (all []Query) {
	for _, ref := range o.references() {
		to := o.index.find(ref.ID)
		if ref.ID.Kind != secret || to == nil || !to.isMissing() || ref.Guessed && !o.mentions(to.ID) {
			continue
		}
		for _, kind := range reference.SecretProducers() {
			if l := o.list(kind, ref.ID.Namespace, nil); !o.index.isListed(l) {
				all = append(all, Query{Type: QueryList, ID: o.ID, List: l})
			}
		}
	}
	return all
}
