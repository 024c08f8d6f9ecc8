package tiles

import (
	"container/list"
	"sync"
)

// DefaultCache is how many bytes a Cache keeps.
const DefaultCache = 64 << 20

// Cache keeps parts of archives, those that were asked for last. It may be used by
// many goroutines.
type Cache struct {
	limit int

	mu    sync.Mutex
	bytes int
	order *list.List // of *part, the one asked for last first
	all   map[partKey]*list.Element
}

type partKey struct {
	of             *Hosted
	etag           string
	offset, length int64
}

type part struct {
	key  partKey
	data []byte
}

// overhead is about the memory that a part takes beside its bytes.
const overhead = 256

// NewCache makes a cache of at most limit bytes.
func NewCache(limit int) *Cache {
	return &Cache{limit: limit, order: list.New(), all: map[partKey]*list.Element{}}
}

func (c *Cache) get(k partKey) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.all[k]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*part).data, true
}

func (c *Cache) put(k partKey, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.all[k]; ok || len(data)+overhead > c.limit/4 {
		return
	}
	c.all[k] = c.order.PushFront(&part{k, data})
	for c.bytes += len(data) + overhead; c.bytes > c.limit; {
		last := c.order.Back()
		p := c.order.Remove(last).(*part)
		delete(c.all, p.key)
		c.bytes -= len(p.data) + overhead
	}
}
