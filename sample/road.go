package sample

import "github.com/waygate/waygate/osm"

// rank orders roads by how much they matter; smaller is more.
type rank uint8

const (
	motorway rank = iota
	trunk
	primary
	secondary
	tertiary
	unclassified
	residential
	living
	service
	track
	path // cycleways, footways, bridleways, steps: not for cars
	rail
)

var rankValue = [...]string{
	"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified",
	"residential", "living_street", "service", "track", "path", "rail",
}

// road is a line on the ground with its tags, before it becomes ways. Roads
// that share a vertex meet there.
type road struct {
	pts  []pt
	rank rank
	tags osm.Tags
	// apart roads are never joined where they cross others: motorways, dual
	// carriageways, railways, and every bridge and tunnel.
	apart bool
	// level is the layer: above 0 a bridge, below 0 a tunnel.
	level  int
	fixed  bool   // its tags are complete: no pass adds limits or names
	zone   zone   // of its first stretch
	place  string // settlement, for names; "" in the country
	street int    // roads of one street share a number
	keep   bool   // drawn by hand: it holds up the roads that hang on it
	bulb   bool   // it ends in a turning circle
}

func (r *road) set(key, value string) { r.tags = with(r.tags, key, value) }

func (r *road) drivable() bool { return r.rank < path }

// with sets a tag, keeping its place where the key is there already.
func with(tags osm.Tags, key, value string) osm.Tags {
	for i := range tags {
		if tags[i].Key == key {
			tags[i].Value = value
			return tags
		}
	}
	return append(tags, osm.Tag{Key: key, Value: value})
}

func without(tags osm.Tags, key string) osm.Tags {
	out := tags[:0:0]
	for _, t := range tags {
		if t.Key != key {
			out = append(out, t)
		}
	}
	return out
}

// tags makes tags from keys and values in turn.
func tags(kv ...string) osm.Tags {
	out := make(osm.Tags, 0, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		out = append(out, osm.Tag{Key: kv[i], Value: kv[i+1]})
	}
	return out
}
