package plan

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/overlay"
)

// mostClosed is how many closed edges the closures of areas may hold together, at
// some 40 bytes each; beyond it they begin anew.
const mostClosed = 2 << 20

// closures has the edges that areas close, alone and together, worked out when they are
// first kept out of.
type closures struct {
	mu    sync.Mutex
	ids   map[*geo.Area]uint32
	of    map[string]*overlay.Closure // by the ids of areas
	edges int
}

// cached returns the key of areas, and what they close where that is known.
func (c *closures) cached(areas []engine.Area) (key string, made *overlay.Closure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.ids, c.of = map[*geo.Area]uint32{}, map[string]*overlay.Closure{}
	}
	var ids []byte
	for i := range areas {
		id, there := c.ids[areas[i].Shape]
		if !there {
			id = uint32(len(c.ids))
			c.ids[areas[i].Shape] = id
		}
		ids = binary.BigEndian.AppendUint32(ids, id)
	}
	return string(ids), c.of[string(ids)]
}

// add keeps what areas close.
func (c *closures) add(areas []engine.Area, made *overlay.Closure) {
	key, _ := c.cached(areas)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || c.of[key] != nil {
		return // forgotten, or kept by another request
	}
	if c.edges+made.Edges() > mostClosed {
		c.ids, c.of, c.edges = nil, nil, 0
		return
	}
	c.of[key] = made
	c.edges += made.Edges() + 1
}

// closure returns what areas close together. The error is the context's.
func (e *Base) closure(ctx context.Context, areas []engine.Area) (*overlay.Closure, error) {
	_, made := e.closures.cached(areas)
	if made != nil {
		return made, nil
	}
	var err error
	if len(areas) == 1 {
		made, err = overlay.NewClosure(ctx, e.Graph, e.Tree, areas[0].Shape)
		if err != nil {
			return nil, err
		}
	} else {
		parts := make([]*overlay.Closure, len(areas))
		for i := range areas {
			if parts[i], err = e.closure(ctx, areas[i:i+1]); err != nil {
				return nil, err
			}
		}
		made = overlay.JoinClosures(parts)
	}
	e.closures.add(areas, made)
	return made, nil
}
