package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/waygate/waygate/engine"
)

// TestNotesAtOnce has the calls of one request noted at once: the first is kept, and all see
// the same.
func TestNotesAtOnce(t *testing.T) {
	ctx, note := engine.WithNote(t.Context())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			inner, own := engine.WithNote(ctx)
			mine := &engine.Audit{}
			engine.NoteEngine(inner, engine.Unimplemented{})
			engine.NoteAudit(inner, mine)
			if own.Audit() != mine || note.Audit() == nil {
				t.Error("what was judged is not noted")
			}
		})
	}
	group.Wait()
	if note.Engine(nil) != engine.Engine(engine.Unimplemented{}) {
		t.Error("no engine is noted")
	}
	engine.NoteEngine(context.Background(), engine.Unimplemented{}) // nobody notes it
	if _, other := engine.WithNote(t.Context()); other.Engine(nil) != nil || other.Audit() != nil {
		t.Error("a new note has something")
	}
}
