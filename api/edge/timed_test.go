package edge

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// A timed context ends as one of context.WithDeadline does, whether code waited
// for it before, does so afterwards or only reads it.
func TestTimed(t *testing.T) {
	type key struct{}
	for name, c := range map[string]struct {
		after time.Duration
		do    func(cancelParent, end func())
		want  error
	}{
		"the time is over":        {10 * time.Millisecond, func(func(), func()) { time.Sleep(20 * time.Millisecond) }, context.DeadlineExceeded},
		"it was over before":      {-time.Second, func(func(), func()) {}, context.DeadlineExceeded},
		"the client left":         {time.Hour, func(cancelParent, _ func()) { cancelParent() }, context.Canceled},
		"the request is answered": {time.Hour, func(_, end func()) { end() }, context.Canceled},
		"nothing":                 {time.Hour, func(func(), func()) {}, nil},
	} {
		for _, waited := range []string{"before", "after", "by a context within", "never"} {
			t.Run(name+", waited "+waited, func(t *testing.T) {
				parent, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, 7))
				defer cancel()
				x := newTimed(parent, time.Now().Add(c.after))
				var ctx context.Context = x
				switch waited {
				case "before":
					x.Done()
				case "by a context within":
					within, cancel := context.WithCancel(x)
					defer cancel()
					ctx = within
				}
				c.do(cancel, x.end)
				if waited == "after" {
					x.Done()
				}
				if c.want != nil && waited != "never" {
					select {
					case <-ctx.Done():
					case <-time.After(waittest.Patience):
						t.Fatal("Done is not closed")
					}
				}
				for range 2 {
					if err := ctx.Err(); !errors.Is(err, c.want) || err == nil && c.want != nil {
						t.Errorf("%v, want %v", err, c.want)
					}
				}
				if ctx.Value(key{}) != 7 {
					t.Error("it hides what the request holds")
				}
				x.end()
				if x.Err() == nil {
					t.Error("it goes on after its end")
				}
			})
		}
	}
	parent, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	x := newTimed(parent, time.Now().Add(time.Hour))
	want, _ := parent.Deadline()
	if at, ok := x.Deadline(); !ok || !at.Equal(want) {
		t.Error(at, ok)
	}
}
