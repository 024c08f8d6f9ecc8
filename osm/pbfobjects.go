package osm

import (
	"errors"
	"fmt"
	"slices"
)

// dense reads the columns of a dense node list.
func (d *blockDecoder) dense(b []byte) error {
	var ids, lats, lons, tags, versions, visibles []byte
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			ids = m.packed(ids)
		case 5:
			info := message{b: m.bytes()}
			for info.next() {
				switch info.field {
				case 1:
					versions = info.packed(versions)
				case 6:
					visibles = info.packed(visibles)
				}
			}
			if info.err != nil {
				return fmt.Errorf("dense nodes' metadata: %w", info.err)
			}
		case 8:
			lats = m.packed(lats)
		case 9:
			lons = m.packed(lons)
		case 10:
			tags = m.packed(tags)
		}
	}
	if m.err != nil {
		return fmt.Errorf("dense nodes: %w", m.err)
	}
	n := countVarints(ids)
	if n > maxObjects {
		return fmt.Errorf("more than %d objects", maxObjects)
	}
	if a, o := countVarints(lats), countVarints(lons); a != n || o != n {
		return fmt.Errorf("dense nodes: %d ids, %d latitudes and %d longitudes", n, a, o)
	}
	if v := countVarints(versions); len(versions) > 0 && v != n {
		return fmt.Errorf("dense nodes: %d ids and %d versions", n, v)
	}
	if v := countVarints(visibles); len(visibles) > 0 && v != n {
		return fmt.Errorf("dense nodes: %d ids and %d marks of visibility", n, v)
	}
	return d.denseNodes(n, denseColumns{ids, lats, lons, tags, versions, visibles})
}

type denseColumns struct{ ids, lats, lons, tags, versions, visibles []byte }

func (d *blockDecoder) denseNodes(n int, c denseColumns) error {
	// Each tag takes two numbers, each node a mark.
	pairs := max(0, countVarints(c.tags)-n) / 2
	if d.tags.lent+pairs > maxTags {
		return fmt.Errorf("more than %d tags in the block", maxTags)
	}
	if err := d.room(n, sizeOfNode); err != nil {
		return err
	}
	if err := d.room(pairs, sizeOfTag); err != nil {
		return err
	}
	free := Tags(d.tags.take(pairs))
	d.block.Nodes = slices.Grow(d.block.Nodes, n)
	var id, lat, lon int64
	var iID, iLat, iLon, iTag, iVersion, iVisible int
	for range n {
		var v uint64
		v, iID = uvarint(c.ids, iID)
		id += zigzag(v)
		v, iLat = uvarint(c.lats, iLat)
		lat += zigzag(v)
		v, iLon = uvarint(c.lons, iLon)
		lon += zigzag(v)
		node := Node{ID: id}
		if len(c.versions) > 0 {
			v, iVersion = uvarint(c.versions, iVersion)
			node.Version = max(0, int32(v))
		}
		visible := true
		if len(c.visibles) > 0 {
			v, iVisible = uvarint(c.visibles, iVisible)
			visible = v != 0
		}
		if iTag < len(c.tags) && iTag >= 0 {
			if c.tags[iTag] == 0 {
				iTag++
			} else {
				count, next, err := d.denseTags(free, c.tags, iTag)
				if err != nil {
					return fmt.Errorf("node %d: %w", id, err)
				}
				iTag = next
				node.Tags, free = d.shortTags(KindNode, id, free[:count:count]), free[count:]
			}
		} else if len(c.tags) > 0 {
			return fmt.Errorf("dense nodes: the list of tags ends before node %d", id)
		}
		if !visible {
			continue
		}
		var ok bool
		if node.Lon, node.Lat, ok = d.grid.position(lon, lat); !ok {
			d.block.skip(KindNode, id, OffGlobe)
			continue
		}
		d.block.Nodes = append(d.block.Nodes, node)
	}
	if iID != len(c.ids) || iLat != len(c.lats) || iLon != len(c.lons) ||
		iVersion != len(c.versions) || iVisible != len(c.visibles) {
		return errors.New("dense nodes: a number is longer than 64 bits")
	}
	if iTag != len(c.tags) {
		return errors.New("dense nodes: the list of tags has more than the nodes")
	}
	return nil
}

// denseTags reads one node's pairs of key and value, up to their closing zero,
// into the front of tags and gives their number and the index behind the zero.
func (d *blockDecoder) denseTags(tags Tags, b []byte, i int) (count, next int, err error) {
	for {
		var k, v uint64
		if k, i = uvarint(b, i); i >= 0 && k == 0 {
			return count, i, nil
		}
		if v, i = uvarint(b, i); i < 0 || count == len(tags) {
			return 0, i, errors.New("its list of tags is cut short")
		}
		if k >= uint64(len(d.strings)) {
			return 0, i, d.noString(k)
		}
		if v >= uint64(len(d.strings)) {
			return 0, i, d.noString(v)
		}
		tags[count] = Tag{d.strings[k], d.strings[v]}
		count++
	}
}

// common has the members that nodes, ways and relations share.
type common struct {
	keys, values []byte
	version      int32
	visible      bool
}

// field reads m's current field where it is one of those all objects share.
func (o *common) field(m *message) error {
	switch m.field {
	case 2:
		o.keys = m.packed(o.keys)
	case 3:
		o.values = m.packed(o.values)
	case 4:
		var err error
		o.version, o.visible, err = decodeInfo(m.bytes())
		return err
	}
	return nil
}

func (d *blockDecoder) node(b []byte) error {
	var id, lat, lon int64
	o := common{visible: true}
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			id = m.signed()
		case 8:
			lat = m.signed()
		case 9:
			lon = m.signed()
		default:
			if err := o.field(&m); err != nil {
				return fmt.Errorf("node %d: %w", id, err)
			}
		}
	}
	if m.err != nil {
		return fmt.Errorf("node %d: %w", id, m.err)
	}
	if !o.visible {
		return nil
	}
	x, y, ok := d.grid.position(lon, lat)
	if !ok {
		d.block.skip(KindNode, id, OffGlobe)
		return nil
	}
	tags, err := d.readTags(KindNode, id, o.keys, o.values)
	if err != nil {
		return fmt.Errorf("node %d: %w", id, err)
	}
	d.block.Nodes = append(d.block.Nodes, Node{ID: id, Lon: x, Lat: y, Version: o.version, Tags: tags})
	return nil
}

func (d *blockDecoder) way(b []byte) error {
	var id int64
	var refs []byte
	o := common{visible: true}
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			id = int64(m.varint())
		case 8:
			refs = m.packed(refs)
		default:
			if err := o.field(&m); err != nil {
				return fmt.Errorf("way %d: %w", id, err)
			}
		}
	}
	if m.err != nil {
		return fmt.Errorf("way %d: %w", id, m.err)
	}
	if !o.visible {
		return nil
	}
	w := Way{ID: id, Version: o.version}
	var err error
	if w.Tags, err = d.readTags(KindWay, id, o.keys, o.values); err != nil {
		return fmt.Errorf("way %d: %w", id, err)
	}
	if w.Nodes, err = d.readRefs(refs); err != nil {
		return fmt.Errorf("way %d: %w", id, err)
	}
	d.block.Ways = append(d.block.Ways, w)
	return nil
}

func (d *blockDecoder) readRefs(b []byte) ([]int64, error) {
	n := countVarints(b)
	if d.refs.lent+n > maxRefs {
		return nil, fmt.Errorf("more than %d node references in the block", maxRefs)
	}
	if err := d.room(n, sizeOfRef); err != nil {
		return nil, err
	}
	refs := d.refs.take(n)
	i, ref := 0, int64(0)
	for r := range refs {
		var v uint64
		v, i = uvarint(b, i)
		ref += zigzag(v)
		refs[r] = ref
	}
	if i != len(b) {
		return nil, errors.New("a node reference is cut short")
	}
	return refs, nil
}

func (d *blockDecoder) relation(b []byte) error {
	var id int64
	var roles, refs, kinds []byte
	o := common{visible: true}
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			id = int64(m.varint())
		case 8:
			roles = m.packed(roles)
		case 9:
			refs = m.packed(refs)
		case 10:
			kinds = m.packed(kinds)
		default:
			if err := o.field(&m); err != nil {
				return fmt.Errorf("relation %d: %w", id, err)
			}
		}
	}
	if m.err != nil {
		return fmt.Errorf("relation %d: %w", id, m.err)
	}
	if !o.visible {
		return nil
	}
	r := Relation{ID: id, Version: o.version}
	var err error
	if r.Tags, err = d.readTags(KindRelation, id, o.keys, o.values); err != nil {
		return fmt.Errorf("relation %d: %w", id, err)
	}
	if r.Members, err = d.readMembers(roles, refs, kinds); err != nil {
		return fmt.Errorf("relation %d: %w", id, err)
	}
	d.block.Relations = append(d.block.Relations, r)
	return nil
}

func (d *blockDecoder) readMembers(roles, refs, kinds []byte) ([]Member, error) {
	n := countVarints(refs)
	if d.members.lent+n > maxMembers {
		return nil, fmt.Errorf("more than %d relation members in the block", maxMembers)
	}
	if err := d.room(n, sizeOfMember); err != nil {
		return nil, err
	}
	members := d.members.take(n)
	iRole, iRef, iKind, ref := 0, 0, 0, int64(0)
	for m := range members {
		var role, v, kind uint64
		role, iRole = uvarint(roles, iRole)
		v, iRef = uvarint(refs, iRef)
		kind, iKind = uvarint(kinds, iKind)
		ref += zigzag(v)
		if role >= uint64(len(d.strings)) {
			return nil, d.noString(role)
		}
		if kind > uint64(KindRelation) {
			return nil, fmt.Errorf("a member of the unknown kind %d", kind)
		}
		members[m] = Member{Kind: Kind(kind), Ref: ref, Role: d.strings[role]}
	}
	if iRole != len(roles) || iRef != len(refs) || iKind != len(kinds) {
		return nil, errors.New("its lists of roles, references and kinds do not match")
	}
	return members, nil
}
