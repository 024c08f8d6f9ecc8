package lexicon

import (
	"strings"

	"github.com/waygate/waygate/index/place/fold"
)

// dashes are the ways to write the dash between numbers, that of kana among them.
const dashes = "-–—‐‑−－﹣ー"

// dashed reports whether what stands between two words is a dash alone.
func dashed(between string) bool {
	between = strings.TrimSpace(between)
	return between != "" && strings.Trim(between, dashes) == ""
}

func isNumber(s string) bool {
	return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// blockAt reads the number of a block or a house where the east of Asia has it: "9番1号", "478号",
// and the first of numbers with dashes between them, which may be of a quarter, a block and a
// house: "1-9-1".
func (x *Lexicon) blockAt(text string, words []fold.Word) (t Token, n int, ok bool) {
	if len(words) < 2 || !isNumber(words[0].Text) {
		return t, 0, false
	}
	is := func(i int, list ...string) bool {
		for _, s := range list {
			if i < len(words) && words[i].Text == s {
				return true
			}
		}
		return false
	}
	numbers := 1
	for numbers < len(words) && isNumber(words[numbers].Text) && dashed(text[words[numbers-1].To:words[numbers].From]) {
		numbers++
	}
	if is(1, "丁") || numbers > 2 || numbers == 2 && x.blocks {
		t = Token{From: words[0].From, To: words[0].To, Text: words[0].Text, Whole: words[0].Whole}
		if !is(1, "丁") {
			t.House, t.IsHouse = houseOf(t.Text)
		}
		return t, 1, true
	}
	n = 1
	second := ""
	if is(n, "番") {
		for n++; is(n, "地", "の"); n++ {
		}
		if n < len(words) && isNumber(words[n].Text) {
			second = words[n].Text
			n++
		}
	}
	if is(n, "号") && !is(n+1, "线", "楼", "馆", "路") {
		n++
	}
	if n == 1 {
		return t, 0, false
	}
	t = Token{From: words[0].From, To: words[n-1].To, Text: words[0].Text, IsHouse: true}
	t.House, _ = fold.ParseHouse(words[0].Text + "/" + second)
	return t, n, true
}
