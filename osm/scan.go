package osm

import (
	"time"

	"github.com/waygate/waygate/geo"
)

// Block is a run of objects of one part of a file, in the file's order. It
// and all it points to are valid only until the callback returns; strings may
// be kept.
type Block struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
}

// Header is what a file says about itself.
type Header struct {
	Bounds    geo.Bounds // NoBounds where the file has none
	Timestamp time.Time  // of the data (replication timestamp), zero where unknown
	Generator string
}

// Options choose what a scan decodes. The zero value decodes everything on
// all cores.
type Options struct {
	SkipNodes, SkipWays, SkipRelations bool
	Workers                            int                    // 0 is GOMAXPROCS
	Progress                           func(done, size int64) // bytes of the file read so far; size is 0 where unknown
}
