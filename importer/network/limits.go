package network

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/osm"
)

// Limits on what one place or relation may add to the graph. Costs of turns grow with
// the cube of the ways at a node, and what restrictions need with the product of their
// members; real maps stay far below.
const (
	// maxWaysAtNode is how many pieces of way may end at a node. The busiest
	// junctions of a country have a dozen.
	maxWaysAtNode = 64
	// maxRestrictionEnds is how many "from" and "to" ways a restriction may have.
	maxRestrictionEnds = 64
	// maxPathsOfRule is how many paths of edges a restriction or a connection of lanes
	// may stand for, and maxStepsOfRule how many pieces of way are examined to find
	// them.
	maxPathsOfRule, maxStepsOfRule = 64, 1 << 14
	// maxRulesAtNode is how many courses of restrictions may turn at a node, and
	// how many may pass along an edge on their way.
	maxRulesAtNode = 200
	// maxConditions is how many different sets of conditions about the vehicle the
	// records of limits may have, of which there are fewer than 65,536.
	maxConditions = 24_000
	// maxNamed is how many of the objects left out are named.
	maxNamed = 5
)

// Result has the results of the stage besides the graph.
type Result struct {
	Counts map[string]int64
	// Named has, by the name of a count of objects left out, the first few of them.
	Named map[string]string
}

// tally counts what the stage makes and leaves out.
type tally struct {
	counts map[string]int64
	named  map[string][]string // by count: the first things that are left out
}

// leaveOut counts an object left out and names it if it is among the first.
func (t *tally) leaveOut(count, kind string, id int64) {
	t.counts[count]++
	if list := t.named[count]; len(list) <= maxNamed {
		if name := fmt.Sprintf("%s %d", kind, id); !slices.Contains(list, name) {
			t.named[count] = append(list, name)
		}
	}
}

// unknownWords is the count of access tags with unknown values.
const unknownWords = "unknown_access_words"

// unknown counts access tags of a road, or of a barrier, with unknown values.
func (t *tally) unknown(kind string, id int64, list osm.Tags) {
	for _, tag := range tags.UnknownWords(list) {
		t.leaveOut(unknownWords, tag.Key+"="+tag.Value+" of "+kind, id)
	}
}

// skipped counts what the reader left out.
func (t *tally) skipped(list []osm.Skip) {
	kinds := [...]string{osm.KindNode: "node", osm.KindWay: "way", osm.KindRelation: "relation"}
	counts := [...]string{osm.OffGlobe: "skipped_nodes_off_globe", osm.LongTag: "skipped_long_tags", osm.ManyTags: "skipped_tags_of_many"}
	for _, s := range list {
		t.leaveOut(counts[s.Why], kinds[s.Kind], s.ID)
	}
}

func (t *tally) result() Result {
	r := Result{Counts: t.counts, Named: map[string]string{}}
	for count, list := range t.named {
		r.Named[count] = strings.Join(list[:min(len(list), maxNamed)], ", ")
		if len(list) > maxNamed {
			r.Named[count] += " and others"
		}
	}
	return r
}

// fits reports whether a piece of way between two nodes is within the limit at both,
// and counts it there.
func (a *assembler) fits(from, to nodeNumber) bool {
	for _, n := range [2]nodeNumber{from, to} {
		if a.ends[n] >= maxWaysAtNode {
			a.c.leaveOut("dropped_pieces_at_crowded_nodes", "node", a.c.nodes.ids[n])
			return false
		}
	}
	a.ends[from]++
	a.ends[to]++
	return true
}
