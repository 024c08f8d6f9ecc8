package places

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Fresh is how long a set is searched without asking the database whether it is
// still the newest. What one replica changes the others see within it.
const Fresh = time.Second

// cacheBytes bounds the sets in memory, as estimated. One that is larger by
// itself is read for each call.
const cacheBytes = 64 << 20

// cache keeps the sets that were searched last.
type cache struct {
	limit int64

	mu    sync.Mutex
	held  map[string]*list.Element // of a *set, by key
	order *list.List               // the one used last is in front
	bytes int64
	drops uint64                   // changes made here
	loads map[string]chan struct{} // closed when a load of the key ends
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, held: map[string]*list.Element{}, order: list.New(), loads: map[string]chan struct{}{}}
}

// drop forgets a key's set; a load under way does not bring it back.
func (c *cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	c.remove(key)
}

func (c *cache) remove(key string) {
	if e, ok := c.held[key]; ok {
		c.bytes -= e.Value.(*set).bytes
		c.order.Remove(e)
		delete(c.held, key)
	}
}

// put stores a set, unless something was dropped since it began to be read.
func (c *cache) put(s *set, drops uint64) {
	if c.drops != drops {
		return
	}
	c.remove(s.key)
	if s.bytes > c.limit {
		return
	}
	for c.bytes+s.bytes > c.limit {
		c.remove(c.order.Back().Value.(*set).key)
	}
	c.held[s.key] = c.order.PushFront(s)
	c.bytes += s.bytes
}

// any returns the set that is held, whether it is fresh or ready or not; nil where there is
// none. drops is for add.
func (c *cache) any(key string) (held *set, drops uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.held[key]; ok {
		c.order.MoveToFront(e)
		held = e.Value.(*set)
	}
	return held, c.drops
}

// add stores a set, unless something was dropped since any was called.
func (c *cache) add(s *set, drops uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(s, drops)
}

// begin returns the set that is kept and ready, and whether it is fresh. Where it is
// not, the caller is the one to load it, unless another does: then wait is
// closed when that has ended.
func (c *cache) begin(key string, now time.Time) (old *set, fresh bool, wait chan struct{}, drops uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.held[key]; ok {
		old = e.Value.(*set)
		switch age := now.Sub(old.checked); {
		case !old.ready:
			old = nil
		case age >= 0 && age < Fresh:
			c.order.MoveToFront(e)
			return old, true, nil, 0
		}
	}
	if wait = c.loads[key]; wait == nil {
		c.loads[key] = make(chan struct{})
	}
	return old, false, wait, c.drops
}

// end ends a load that begin has given to the caller.
func (c *cache) end(key string, s *set, gone bool, drops uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.loads[key])
	delete(c.loads, key)
	switch {
	case gone:
		c.remove(key)
	case s != nil:
		c.put(s, drops)
	}
}

// set returns a key's set: that in memory where it is fresh or the database does
// not answer, else the newest.
func (s *Service) set(ctx context.Context, key string) (*set, error) {
	for {
		old, fresh, wait, drops := s.cache.begin(key, s.now())
		if fresh {
			return old, nil
		}
		if wait == nil {
			return s.load(ctx, key, old, drops)
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// What it takes to make a set ready to be searched, for each byte of its text.
const (
	readyNanos = 60
	readyBytes = 6
)

// load reads a set, or finds that old is the newest.
func (s *Service) load(ctx context.Context, key string, old *set, drops uint64) (found *set, err error) {
	defer func() { s.cache.end(key, found, fault.Is(err, fault.NotFound), drops) }()
	at := s.now()
	if old != nil {
		switch version, err := s.versionOf(ctx, key); {
		case fault.Is(err, fault.NotFound):
			return nil, err
		case err != nil || version == old.version:
			return old.at(at), nil
		}
	}
	version, meta, text, err := s.read(ctx, key)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	effort := engine.Estimate{Kind: "places", Work: time.Duration(len(text)) * readyNanos, Bytes: readyBytes * int64(len(text)), Cores: 1}
	err = engine.Work(ctx, effort, func(ctx context.Context) error {
		list, parts, err := decode(ctx, text)
		if err != nil {
			return err
		}
		found, err = newSet(ctx, list, parts)
		return err
	})
	if err != nil {
		return nil, err
	}
	found.key, found.version, found.meta, found.text, found.checked, found.ready = key, version, *meta, text, at, true
	return found, nil
}
