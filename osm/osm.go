// Package osm reads OpenStreetMap data: PBF, XML, and either packed with gzip
// or bzip2; writes PBF; and fetches such files. It implements the format and nothing
// of what the tags mean.
package osm

import (
	"time"

	"github.com/waygate/waygate/geo"
)

// Tag is one key and value.
type Tag struct{ Key, Value string }

// Tags are an object's tags in the order of the file. Keys are unique in sound
// data; the readers do not check it.
type Tags []Tag

// Get returns the value of key (the first, should there be two), or "" where it
// is absent.
func (t Tags) Get(key string) string {
	for i := range t {
		if t[i].Key == key {
			return t[i].Value
		}
	}
	return ""
}

// Has reports whether key is present.
func (t Tags) Has(key string) bool {
	for i := range t {
		if t[i].Key == key {
			return true
		}
	}
	return false
}

// Node is a position with tags. Lon and Lat are in units of 1e-7 degrees.
type Node struct {
	ID       int64
	Lon, Lat int32
	Version  int32 // 0 where the file carries none
	Tags     Tags
}

// Way is a line through nodes.
type Way struct {
	ID      int64
	Version int32
	Nodes   []int64
	Tags    Tags
}

// Kind is the kind of an OSM object.
type Kind uint8

// The kinds, in the numbering of the PBF format.
const (
	KindNode Kind = iota
	KindWay
	KindRelation
)

// Member is one entry of a relation.
type Member struct {
	Kind Kind
	Ref  int64
	Role string
}

// Relation groups objects.
type Relation struct {
	ID      int64
	Version int32
	Members []Member
	Tags    Tags
}

// Data is a whole small data set in memory: a drawn town, the sample county.
type Data struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
	Timestamp time.Time // written to the file's header; zero is left out
	// Bounds is the area the data is complete for, written to the header; zero
	// is the box of all nodes.
	Bounds geo.Bounds
}
