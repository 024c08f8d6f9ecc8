// Package network has the roads of the county before they become ways, where they meet, and
// their names and limits.
package network

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/plane"
)

// Rank orders roads by how much they matter; smaller is more.
type Rank uint8

// The ranks, by the value of highway=*.
const (
	Motorway Rank = iota
	Trunk
	Primary
	Secondary
	Tertiary
	Unclassified
	Residential
	Living
	Service
	Track
	Path // cycleways, footways, bridleways, steps: not for cars
	Rail
)

// RankValue is the value of highway=* for each rank.
var RankValue = [...]string{
	"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified",
	"residential", "living_street", "service", "track", "path", "rail",
}

// Road is a line on the ground with its tags, before it becomes ways. Roads
// that share a vertex meet there.
type Road struct {
	Pts  []plane.Point
	Rank Rank
	Tags osm.Tags
	// Apart roads are never joined where they cross others: motorways, dual
	// carriageways, railways, and every bridge and tunnel.
	Apart bool
	// Level is the layer: above 0 a bridge, below 0 a tunnel.
	Level  int
	Fixed  bool      // its tags are complete: no pass adds limits or names
	Zone   land.Zone // of its first stretch
	Place  string    // settlement, for names; "" in the country
	Street int       // roads of one street share a number
	Pinned bool      // drawn by hand: it holds up the roads that hang on it
	Bulb   bool      // it ends in a turning circle
}

// Set gives the road a tag.
func (r *Road) Set(key, value string) { r.Tags = With(r.Tags, key, value) }

// Drivable reports whether cars use the road.
func (r *Road) Drivable() bool { return r.Rank < Path }

// With sets a tag, keeping its place where the key is there already.
func With(tags osm.Tags, key, value string) osm.Tags {
	for i := range tags {
		if tags[i].Key == key {
			tags[i].Value = value
			return tags
		}
	}
	return append(tags, osm.Tag{Key: key, Value: value})
}

// Without returns the tags without that of a key.
func Without(tags osm.Tags, key string) osm.Tags {
	out := tags[:0:0]
	for _, t := range tags {
		if t.Key != key {
			out = append(out, t)
		}
	}
	return out
}

// Tags makes tags from keys and values in turn.
func Tags(kv ...string) osm.Tags {
	out := make(osm.Tags, 0, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		out = append(out, osm.Tag{Key: kv[i], Value: kv[i+1]})
	}
	return out
}
