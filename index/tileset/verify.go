package tileset

import (
	"context"
	"fmt"
)

// Verify reads the whole archive and checks the promises of the format: every directory
// is readable and in order, every tile lies inside the tile data and can be unpacked,
// zooms and counts are those of the header.
func (r *Reader) Verify() error {
	v := verifier{r: r, seen: map[uint64]bool{}, next: 0}
	if err := v.directory(r.root, 0); err != nil {
		return r.fail(err)
	}
	h := r.header
	for _, c := range []struct {
		what         string
		header, have uint64
	}{
		{"addressed tiles", h.Addressed, v.addressed},
		{"tile entries", h.Entries, v.entries},
		{"tile contents", h.Contents, uint64(len(v.seen))},
	} {
		if c.header != 0 && c.header != c.have {
			return r.fail(fmt.Errorf("its header counts %d %s, its directories hold %d", c.header, c.what, c.have))
		}
	}
	return nil
}

type verifier struct {
	r                  *Reader
	seen               map[uint64]bool // offsets of tiles looked at
	next               uint64          // the least id that may come
	end                uint64          // of the tile data, while clustered
	addressed, entries uint64
}

func (v *verifier) directory(entries []entry, depth int) error {
	if depth >= depthLimit {
		return fmt.Errorf("directories are nested deeper than %d", depthLimit)
	}
	for _, e := range entries {
		if e.id < v.next {
			return fmt.Errorf("tile id %d comes after %d", e.id, v.next-1)
		}
		if e.run == 0 {
			leaf, err := v.r.leaf(context.Background(), e)
			if err != nil {
				return err
			}
			if leaf[0].id != e.id {
				return fmt.Errorf("leaf directory at %d starts with tile id %d, its entry says %d", e.offset, leaf[0].id, e.id)
			}
			if err := v.directory(leaf, depth+1); err != nil {
				return err
			}
			continue
		}
		if err := v.tile(e); err != nil {
			return err
		}
		v.next = e.id + uint64(e.run)
		v.addressed += uint64(e.run)
		v.entries++
	}
	return nil
}

func (v *verifier) tile(e entry) error {
	z, x, y, err := Tile(e.id)
	if err != nil {
		return err
	}
	last, _, _, err := Tile(e.id + uint64(e.run) - 1)
	if err != nil {
		return err
	}
	h := v.r.header
	if z < int(h.MinZoom) || last > int(h.MaxZoom) {
		return fmt.Errorf("tile %d/%d/%d lies outside the header's zooms %d to %d", z, x, y, h.MinZoom, h.MaxZoom)
	}
	if v.seen[e.offset] {
		return nil
	}
	v.seen[e.offset] = true
	if h.Clustered && e.offset != v.end {
		return fmt.Errorf("tile %d/%d/%d lies at %d of the tile data, %d was next in a clustered archive", z, x, y, e.offset, v.end)
	}
	v.end = e.offset + uint64(e.length)
	b, err := v.r.tileBytes(context.Background(), e)
	if err != nil {
		return fmt.Errorf("tile %d/%d/%d: %w", z, x, y, err)
	}
	if h.TileCompression != CompressionGzip {
		return nil
	}
	if _, err := Unpacked(b); err != nil {
		return fmt.Errorf("tile %d/%d/%d: %w", z, x, y, err)
	}
	return nil
}
