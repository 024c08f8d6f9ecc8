package native

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/wire/schema"
)

// Words is a list of words of avoid or exclude. What is wrong with it is told
// with what is wrong with the words.
type Words struct {
	List  []string
	wrong bool // it is no list of words
}

// Describe describes it.
func (Words) Describe(*schema.Document) *schema.Schema {
	return &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}}
}

// DecodeJSON reads it.
func (w *Words) DecodeJSON(_ *schema.Context, raw json.RawMessage) {
	var list []*string
	if w.wrong = json.Unmarshal(raw, &list) != nil || slices.Contains(list, nil); w.wrong {
		return
	}
	for _, word := range list {
		w.List = append(w.List, *word)
	}
}
