package feed

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Group is the feeds of one kind of record, and the view that features answer
// from: what is worked out of all their snapshots together, anew whenever one of
// them is swapped, never while a request waits.
type Group[T, V any] struct {
	kind Kind[T]
	join func([]*Snapshot[T]) V

	mu    sync.Mutex // of feeds, and of joining
	feeds []*Feed[T]
	view  atomic.Pointer[V]
}

// NewGroup makes a group without feeds. join gets the snapshots in force, in the
// order of their feeds; feeds that have none yet are left out.
func NewGroup[T, V any](k Kind[T], join func([]*Snapshot[T]) V) *Group[T, V] {
	g := &Group[T, V]{join: join}
	swapped := k.Swapped
	k.Swapped = func(s *Snapshot[T]) {
		if swapped != nil {
			swapped(s)
		}
		g.rejoin()
	}
	g.kind = k
	return g
}

// Add makes a feed of a source.
func (g *Group[T, V]) Add(o Options, s Source) (Member, error) {
	f, err := New(o, s, g.kind)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.feeds = append(g.feeds, f)
	return f, nil
}

// Remove drops the feed with an id, which no longer runs, and the files that it kept for a
// restart.
func (g *Group[T, V]) Remove(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.feeds, func(f *Feed[T]) bool { return f.source.ID == id })
	if i < 0 {
		return
	}
	g.feeds[i].Forget()
	g.feeds = slices.Delete(g.feeds, i, i+1)
	g.joinSnapshots()
}

func (g *Group[T, V]) rejoin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.joinSnapshots()
}

// joinSnapshots joins the snapshots in force into a new view. The lock is held.
func (g *Group[T, V]) joinSnapshots() {
	list := g.latest()
	if len(list) == 0 {
		g.view.Store(nil)
		return
	}
	v := g.join(list)
	g.view.Store(&v)
}

func (g *Group[T, V]) latest() []*Snapshot[T] {
	var list []*Snapshot[T]
	for _, f := range g.feeds {
		if s := f.Latest(); s != nil {
			list = append(list, s)
		}
	}
	return list
}

// Feeds returns the feeds of the group, in the order in which they were added.
func (g *Group[T, V]) Feeds() []*Feed[T] {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.feeds)
}

// View returns what was worked out of the snapshots in force; ok is false while no
// feed has one. A nil group has none.
func (g *Group[T, V]) View() (v V, ok bool) {
	if g == nil {
		return v, false
	}
	at := g.view.Load()
	if at == nil {
		return v, false
	}
	return *at, true
}
