package embedded

import "sync"

// pool keeps what queries work with, for the memory.
type pool struct{ sync.Pool }

// giveBack, deferred, puts x back unless its user panics: a query that broke off
// half-way might spoil the next one's answer.
func (p *pool) giveBack(x any) {
	if v := recover(); v != nil {
		panic(v)
	}
	p.Put(x)
}
