package osm

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

func encodeDense(nodes []*Node) ([]byte, error) {
	var t stringTable
	tagged, versioned := false, false
	for _, n := range nodes {
		if n.Lon < -maxLon || n.Lon > maxLon || n.Lat < -maxLat || n.Lat > maxLat {
			return nil, fmt.Errorf("node %d lies off the globe (lon %d, lat %d in units of 1e-7 degrees)", n.ID, n.Lon, n.Lat)
		}
		if n.Version < 0 {
			return nil, fmt.Errorf("node %d has the negative version %d", n.ID, n.Version)
		}
		t.addTags(n.Tags)
		tagged = tagged || len(n.Tags) > 0
		versioned = versioned || n.Version != 0
	}
	table := t.seal()
	var ids, lats, lons, tags, versions []byte
	var id, lat, lon int64
	for _, n := range nodes {
		ids = appendDelta(ids, n.ID, &id)
		lats = appendDelta(lats, int64(n.Lat), &lat)
		lons = appendDelta(lons, int64(n.Lon), &lon)
		if versioned {
			versions = protowire.AppendVarint(versions, uint64(n.Version))
		}
		if tagged {
			for i := range n.Tags {
				tags = protowire.AppendVarint(tags, t.index[n.Tags[i].Key])
				tags = protowire.AppendVarint(tags, t.index[n.Tags[i].Value])
			}
			tags = append(tags, 0)
		}
	}
	var dense []byte
	dense = appendList(dense, 1, ids)
	if versioned {
		dense = appendBytes(dense, 5, appendList(nil, 1, versions))
	}
	dense = appendList(dense, 8, lats)
	dense = appendList(dense, 9, lons)
	dense = appendList(dense, 10, tags)
	return encodeBlock(table, appendBytes(nil, 2, dense)), nil
}

// appendObject appends what ways and relations store alike.
func appendObject(b []byte, id int64, version int32, tags Tags, t *stringTable) []byte {
	b = appendNumber(b, 1, uint64(id))
	var keys, values []byte
	for i := range tags {
		keys = protowire.AppendVarint(keys, t.index[tags[i].Key])
		values = protowire.AppendVarint(values, t.index[tags[i].Value])
	}
	b = appendList(b, 2, keys)
	b = appendList(b, 3, values)
	if version != 0 {
		b = appendBytes(b, 4, appendNumber(nil, 1, uint64(version)))
	}
	return b
}

func encodeWays(ways []*Way) ([]byte, error) {
	var t stringTable
	for _, w := range ways {
		if w.Version < 0 {
			return nil, fmt.Errorf("way %d has the negative version %d", w.ID, w.Version)
		}
		t.addTags(w.Tags)
	}
	table := t.seal()
	var group []byte
	for _, w := range ways {
		b := appendObject(nil, w.ID, w.Version, w.Tags, &t)
		var refs []byte
		var ref int64
		for _, n := range w.Nodes {
			refs = appendDelta(refs, n, &ref)
		}
		group = appendBytes(group, 3, appendList(b, 8, refs))
	}
	return encodeBlock(table, group), nil
}

func encodeRelations(relations []*Relation) ([]byte, error) {
	var t stringTable
	for _, r := range relations {
		if r.Version < 0 {
			return nil, fmt.Errorf("relation %d has the negative version %d", r.ID, r.Version)
		}
		t.addTags(r.Tags)
		for i := range r.Members {
			if r.Members[i].Kind > KindRelation {
				return nil, fmt.Errorf("relation %d: member %d is of the unknown kind %d", r.ID, i, r.Members[i].Kind)
			}
			t.add(r.Members[i].Role)
		}
	}
	table := t.seal()
	var group []byte
	for _, r := range relations {
		b := appendObject(nil, r.ID, r.Version, r.Tags, &t)
		var roles, refs, kinds []byte
		var ref int64
		for _, m := range r.Members {
			roles = protowire.AppendVarint(roles, t.index[m.Role])
			refs = appendDelta(refs, m.Ref, &ref)
			kinds = append(kinds, byte(m.Kind))
		}
		b = appendList(b, 8, roles)
		b = appendList(b, 9, refs)
		group = appendBytes(group, 4, appendList(b, 10, kinds))
	}
	return encodeBlock(table, group), nil
}
