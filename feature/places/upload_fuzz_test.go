package places

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/waygate/waygate/fault"
)

// FuzzUpload checks that a list of places is taken whole, each with its properties
// as they came, or refused in words.
func FuzzUpload(f *testing.F) {
	f.Add(`[{"id":"a","name":"A","lat":1,"lon":2,"properties":{ "x" : 1.0 }}]`)
	f.Add(`[{},7,null,[],"x"]`)
	f.Add(`[{"id":"a","name":"A","lat":1,"lon":2},{"id":"a","name":"A","lat":1e999,"lon":2,"properties":[]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var parts []json.RawMessage
		if json.Unmarshal([]byte(text), &parts) != nil {
			return
		}
		l := Upload{raw: json.RawMessage(text)}
		list, err := l.Read(context.Background())
		var refused *fault.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err == nil && len(list) != len(parts) {
			t.Errorf("%d places of %d", len(list), len(parts))
		}
	})
}
