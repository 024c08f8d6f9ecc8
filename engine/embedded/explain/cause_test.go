package explain

import (
	"fmt"
	"sync"
	"testing"
)

func TestCausesAreFewAndTheLast(t *testing.T) {
	var c RefusalCache
	asked := func(i int) question { return question{from: fmt.Sprint(i)} }
	for i := range 3 * mostCauses {
		c.put(asked(i), cause{detail: fmt.Sprint(i)})
		c.put(asked(i), cause{detail: "again"})
	}
	if len(c.found) != mostCauses || len(c.order) != mostCauses {
		t.Errorf("%d are remembered, in a list of %d", len(c.found), len(c.order))
	}
	for i := range 3 * mostCauses {
		why, ok := c.get(asked(i))
		if ok != (i >= 2*mostCauses) || ok && why.detail != fmt.Sprint(i) {
			t.Fatalf("question %d: %v %q", i, ok, why.detail)
		}
	}
}

func TestRefusalsAtOnce(t *testing.T) {
	var c RefusalCache
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 2 * mostCauses {
				q := question{from: fmt.Sprint(i), to: fmt.Sprint(worker % 2)}
				c.put(q, cause{detail: q.from})
				if why, ok := c.get(q); ok && why.detail != q.from {
					t.Errorf("question %s is answered with %q", q.from, why.detail)
				}
			}
		})
	}
	all.Wait()
	if len(c.found) != mostCauses || len(c.order) != mostCauses {
		t.Errorf("%d are remembered, in a list of %d", len(c.found), len(c.order))
	}
}
