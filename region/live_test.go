package region

import (
	"sync"
	"sync/atomic"
	"testing"
)

// thing counts its users and notices use after its end.
type thing struct {
	users  atomic.Int64
	closed atomic.Int64
}

func (x *thing) close(t *testing.T) func() {
	return func() {
		if n := x.users.Load(); n != 0 {
			t.Errorf("closed with %d users", n)
		}
		if x.closed.Add(1) != 1 {
			t.Error("closed twice")
		}
	}
}

func TestLive(t *testing.T) {
	var l Live[*thing]
	if v, release := l.Acquire(); v != nil {
		t.Error("something before the first swap")
	} else {
		release()
	}
	a, b := &thing{}, &thing{}
	l.Swap(a, a.close(t))
	v, release := l.Acquire()
	if v != a {
		t.Error("not what was put in")
	}
	l.Swap(b, b.close(t))
	if a.closed.Load() != 0 {
		t.Error("closed in use")
	}
	release()
	release() // once more does nothing
	if a.closed.Load() != 1 {
		t.Error("not closed when its last user let go")
	}
	v, release = l.Acquire()
	if v != b {
		t.Error("not what came in its place")
	}
	l.Close()
	l.Close()
	if b.closed.Load() != 0 {
		t.Error("closed in use")
	}
	if v, _ := l.Acquire(); v != nil {
		t.Error("something after the end")
	}
	release()
	if b.closed.Load() != 1 {
		t.Error("not closed in the end")
	}
	l.Swap(a, nil) // nothing to close
	l.Close()
}

func TestLiveAtOnce(t *testing.T) {
	var l Live[*thing]
	first := &thing{}
	l.Swap(first, first.close(t))
	all := []*thing{first}
	var stop atomic.Bool
	var uses atomic.Int64
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			for {
				v, release := l.Acquire()
				v.users.Add(1)
				if v.closed.Load() != 0 {
					t.Error("handed out closed")
				}
				uses.Add(1)
				v.users.Add(-1)
				release()
				if stop.Load() {
					return
				}
			}
		})
	}
	for range 200 {
		x := &thing{}
		all = append(all, x)
		l.Swap(x, x.close(t))
	}
	stop.Store(true)
	wg.Wait()
	l.Close()
	for i, x := range all {
		if x.closed.Load() != 1 {
			t.Errorf("number %d was closed %d times", i, x.closed.Load())
		}
	}
	if uses.Load() < 300 {
		t.Errorf("%d uses", uses.Load())
	}
}
