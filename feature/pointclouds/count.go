package pointclouds

import "sync"

// ChunkBytes is the size of a chunk, which costs a unit.
const ChunkBytes = 1_000_000

// chunks returns how many chunks some bytes begin.
func chunks(bytes int64) int64 { return (bytes + ChunkBytes - 1) / ChunkBytes }

// part is a file as a key reads it.
type part struct {
	key, file string
	size      int64 // bytes, above 0
}

// price returns the cost of so many bytes of the file, if none were read before: a whole costs its
// chunks, and so does each whole again.
func (p part) price(bytes int64) int64 {
	return bytes/p.size*chunks(p.size) + chunks(bytes%p.size)
}

// counter counts the bytes that each key reads of each file, so that a unit is charged for each
// chunk of bytes, whatever the ranges in which they are read. All ranges that add up to the
// length of a file cost what the whole does, in any order and whatever was read before.
//
// It counts in memory. After a restart, on another replica, and where the counter is full a key
// begins a new chunk of a file, which costs it one unit more at the most.
type counter struct {
	mu   sync.Mutex
	read map[part]int64 // bytes beyond the last whole
}

// mostParts bounds a counter, to some 10 MB.
const mostParts = 1 << 16

// add counts bytes, at most the file's, and returns what they cost.
func (c *counter) add(p part, bytes int64) (units int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.read[p]
	c.store(p, before+bytes)
	return p.price(before+bytes) - p.price(before)
}

// remove takes bytes that were added and not sent off the count, and returns what they cost.
func (c *counter) remove(p part, bytes int64) (units int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := c.read[p]
	if after < bytes {
		after += p.size
	}
	c.store(p, after-bytes)
	return p.price(after) - p.price(after-bytes)
}

func (c *counter) store(p part, bytes int64) {
	if c.read == nil {
		c.read = map[part]int64{}
	}
	bytes %= p.size
	if bytes == 0 {
		delete(c.read, p) // as if nothing had been read
		return
	}
	if _, known := c.read[p]; !known && len(c.read) >= mostParts {
		for any := range c.read {
			delete(c.read, any)
			break
		}
	}
	c.read[p] = bytes
}
