package native

import (
	"bytes"
	"encoding/json"

	"github.com/waygate/waygate/wire/schema"
)

// maxWords is how many words of avoid or exclude are looked at, far more than
// there are.
const maxWords = 20_000

// Words is a list of words of avoid or exclude. What is wrong with it is reported
// with what is wrong with the words.
type Words struct {
	List  []string
	wrong bool // it is no list of words
}

// Describe describes it.
func (Words) Describe(*schema.Document) *schema.Schema {
	most := maxWords
	return &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}, MaxItems: &most}
}

// DecodeJSON reads it.
func (w *Words) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	// A comma stands between two words, and may in a word that is none of ours.
	if bytes.Count(raw, []byte(",")) >= maxWords {
		c.Refuse("", nil, "has more than %d words", maxWords)
		return
	}
	w.wrong = !schema.Fits(c, raw, &w.List)
}
