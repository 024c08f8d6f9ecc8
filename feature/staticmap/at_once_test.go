package staticmap

import (
	"fmt"
	"sync"
	"testing"
)

// TestNoticesAtOnce has four callers measure notices with the face that all share: each
// gets what it gets alone.
func TestNoticesAtOnce(t *testing.T) {
	const callers, each = 4, 50
	var got [callers][each]Notice
	notice := func(i int) (Notice, error) {
		return NoticeOf(fmt.Sprintf("© number %d of the contributors", i), 300)
	}
	var all sync.WaitGroup
	for k := range callers {
		all.Go(func() {
			for i := range each {
				n, err := notice(i * i)
				if err != nil {
					t.Error(err)
				}
				got[k][i] = n
			}
		})
	}
	all.Wait()
	for i := range each {
		want, err := notice(i * i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range callers {
			if got[k][i] != want {
				t.Errorf("%+v, alone it is %+v", got[k][i], want)
			}
		}
	}
}
