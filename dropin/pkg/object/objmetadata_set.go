package object

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
)

// An ObjMetadataSet is a list of identifiers that compares like a set.
type ObjMetadataSet []ObjMetadata

// ObjMetadataSetEquals reports whether both lists have the same members.
func ObjMetadataSetEquals(setA, setB []ObjMetadata) bool {
	return ObjMetadataSet(setA).Equal(setB)
}

// ObjMetadataSetFromMap returns the keys of the map, in any order.
func ObjMetadataSetFromMap(mapA map[ObjMetadata]struct{}) ObjMetadataSet {
	return slices.AppendSeq(make(ObjMetadataSet, 0, len(mapA)), maps.Keys(mapA))
}

// Equal reports whether both sets have the same members, in any order and number. Package cmp
// calls it.
func (setA ObjMetadataSet) Equal(setB ObjMetadataSet) bool {
	return maps.Equal(setA.ToMap(), setB.ToMap())
}

// Contains reports whether id is a member.
func (setA ObjMetadataSet) Contains(id ObjMetadata) bool { return slices.Contains(setA, id) }

// Remove removes the first entry that equals obj, and returns the rest. It changes the list of
// setA: the last member takes the place of obj.
func (setA ObjMetadataSet) Remove(obj ObjMetadata) ObjMetadataSet {
	i := slices.Index(setA, obj)
	if i < 0 {
		return setA
	}
	last := len(setA) - 1
	setA[i], setA[last] = setA[last], setA[i]
	return setA[:last]
}

// Intersection returns the members that both sets have, in the order of setA.
func (setA ObjMetadataSet) Intersection(setB ObjMetadataSet) ObjMetadataSet {
	inB := setB.ToMap()
	return setA.distinct(func(id ObjMetadata) bool { _, ok := inB[id]; return ok })
}

// Union returns the members of both sets, those of setA first.
func (setA ObjMetadataSet) Union(setB ObjMetadataSet) ObjMetadataSet {
	return slices.Concat(setA, setB).distinct(func(ObjMetadata) bool { return true })
}

// Diff returns the members of setA that setB lacks, in the order of setA.
func (setA ObjMetadataSet) Diff(setB ObjMetadataSet) ObjMetadataSet {
	inB := setB.ToMap()
	return setA.distinct(func(id ObjMetadata) bool { _, ok := inB[id]; return !ok })
}

// Unique returns the members without duplicates, in any order.
func (setA ObjMetadataSet) Unique() ObjMetadataSet { return ObjMetadataSetFromMap(setA.ToMap()) }

// distinct returns the members that keep accepts, in order and without duplicates. The result is
// never nil.
func (setA ObjMetadataSet) distinct(keep func(ObjMetadata) bool) ObjMetadataSet {
	seen := make(map[ObjMetadata]struct{}, len(setA))
	kept := make(ObjMetadataSet, 0, len(setA))
	for _, id := range setA {
		if _, ok := seen[id]; ok || !keep(id) {
			continue
		}
		seen[id] = struct{}{}
		kept = append(kept, id)
	}
	return kept
}

// Hash returns the FNV-1a hash of the sorted identifiers, 32 bits in hexadecimal digits.
func (setA ObjMetadataSet) Hash() string {
	texts := make([]string, 0, len(setA))
	for _, id := range setA {
		texts = append(texts, id.String())
	}
	slices.Sort(texts)
	h := fnv.New32a()
	for _, text := range texts {
		h.Write([]byte(text)) // returns no error
	}
	return strconv.FormatUint(uint64(h.Sum32()), 16)
}

// ToMap returns the members as the keys of a map.
func (setA ObjMetadataSet) ToMap() map[ObjMetadata]struct{} {
	m := make(map[ObjMetadata]struct{}, len(setA))
	for _, id := range setA {
		m[id] = struct{}{}
	}
	return m
}

// ToStringMap returns the members as text, as the keys of a map with empty values.
func (setA ObjMetadataSet) ToStringMap() map[string]string {
	m := make(map[string]string, len(setA))
	for _, id := range setA {
		m[id.String()] = ""
	}
	return m
}

// FromStringMap parses the keys of the map with [ParseObjMetadata].
func FromStringMap(in map[string]string) (ObjMetadataSet, error) {
	return fromStringMap(in, ParseObjMetadata)
}

// FromStringMapStrictly is [FromStringMap] with [ParseObjMetadataStrictly].
func FromStringMapStrictly(in map[string]string) (ObjMetadataSet, error) {
	return fromStringMap(in, ParseObjMetadataStrictly)
}

func fromStringMap(in map[string]string, parse func(string) (ObjMetadata, error)) (ObjMetadataSet, error) {
	var set ObjMetadataSet
	for s := range in {
		id, err := parse(s)
		if err != nil {
			return nil, err
		}
		set = append(set, id)
	}
	return set, nil
}
