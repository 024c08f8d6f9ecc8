package fold

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// written gives a word of the letters that a text has the form in which the index has it, as the
// rules of its script are.
func written(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case n == 1:
		return Umlauts(s)
	case unicode.Is(unicode.Arabic, r):
		// The article is no word of its own there, and often left out.
		if noun, ok := strings.CutPrefix(s, "ال"); ok && utf8.RuneCountInString(noun) >= 2 {
			return noun
		}
	case thaiLetter(r):
		return thaiOrder(s)
	}
	return s
}

// spells reports whether a mark is a vowel, or says that a letter is silent, and no accent or
// tone: as in the scripts of India and in Thai and Lao.
func spells(mark rune) bool {
	switch {
	case mark >= 0x0900 && mark < 0x0e00:
		const nukta, virama = 0x3c, 0x4d // where a block of these scripts has them
		return mark&0x7f != nukta && mark&0x7f != virama
	case mark >= 0x0e00 && mark < 0x0f00:
		return mark&0x7f < 0x3a || mark == '์' || mark == 'ົ'
	}
	return false
}

// Ideograph reports whether a letter is an ideograph or kana.
func Ideograph(r rune) bool {
	return r >= 0x2e80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r))
}

// forms are ideographs of addresses that have another form in another country or style.
var forms = map[rune]rune{'號': '号', '區': '区', '縣': '县', '県': '县', '臺': '台', '鄉': '乡', '鎮': '镇', '樓': '楼', '廣': '广', '広': '广', '條': '条', '線': '线', '東': '东', '橋': '桥', '車': '车', '門': '门', '龍': '龙', '竜': '龙', '灣': '湾', '國': '国', '學': '学', '澤': '沢', '濱': '浜', '邊': '辺', '廳': '庁'}

// largeKana are the kana that are written small, and those that are.
var largeKana = map[rune]rune{'ぁ': 'あ', 'ぃ': 'い', 'ぅ': 'う', 'ぇ': 'え', 'ぉ': 'お', 'っ': 'つ', 'ゃ': 'や', 'ゅ': 'ゆ', 'ょ': 'よ', 'ゎ': 'わ', 'ゕ': 'か', 'ゖ': 'か'}

// foldIdeograph appends the ideograph or kana at a place of a text, folded: kana are hiragana,
// large and without marks. Numerals that count blocks of houses and the like are digits. It
// gives where the text goes on.
func foldIdeograph(b []byte, text string, at int) ([]byte, int) {
	if n, length := counted(text[at:]); length > 0 {
		return strconv.AppendInt(b, int64(n), 10), at + length
	}
	_, n := utf8.DecodeRuneInString(text[at:])
	r, _ := utf8.DecodeRuneInString(norm.NFKD.String(text[at : at+n]))
	if r >= 'ァ' && r <= 'ヶ' {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+n:])
		if r == 'ケ' && unicode.Is(unicode.Han, before) && unicode.Is(unicode.Han, after) {
			r = 'ヶ' // of place names, said "ga"
		}
		r -= 'ァ' - 'ぁ'
	}
	for _, table := range []map[rune]rune{largeKana, forms} {
		if other, ok := table[r]; ok {
			r = other
		}
	}
	return utf8.AppendRune(b, r), at + n
}

const numerals = "〇一二三四五六七八九"

// counters are the units that numerals before them count in an address.
const counters = "丁番号號条條線线段巷弄"

// counted reads a number up to 99 in ideographs before a counter.
func counted(s string) (n, length int) {
	for i, r := range s {
		switch {
		case strings.ContainsRune(numerals, r):
			n = n*10 + strings.IndexRune(numerals, r)/len("〇")
		case r == '十' && n < 10:
			n = max(n, 1)
			if next, _ := utf8.DecodeRuneInString(s[i+len("十"):]); !strings.ContainsRune(numerals, next) {
				n *= 10 // else the unit stands there
			}
		case strings.ContainsRune(counters, r):
			return n, i
		default:
			return 0, 0
		}
		if n > 99 {
			return 0, 0
		}
	}
	return 0, 0
}

// unspaced reports whether a word ends before a letter or digit without a space: where Hangul or
// Thai and digits meet, as in "세종대로209".
func unspaced(word []byte, r rune) bool {
	last, n := utf8.DecodeLastRune(word)
	if r < utf8.RuneSelf {
		return n > 1 && r >= '0' && r <= '9' && (unicode.Is(unicode.Hangul, last) || unicode.Is(unicode.Thai, last))
	}
	return last >= '0' && last <= '9' && unicode.IsLetter(r) && (unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Thai, r))
}

func thaiLetter(r rune) bool { return r >= 'ก' && r <= 'ฮ' || r >= 'เ' && r <= 'ไ' }

// thaiOrder puts each vowel that is written before its consonant after it, where it is said.
func thaiOrder(s string) string {
	if !strings.ContainsAny(s, "เแโใไ") {
		return s
	}
	list := []rune(s)
	for i := 0; i+1 < len(list); i++ {
		vowel := list[i]
		if vowel < 'เ' || vowel > 'ไ' || list[i+1] < 'ก' || list[i+1] > 'ฮ' {
			continue
		}
		n := 1
		if i+2 < len(list) && (list[i+1] == 'ห' && strings.ContainsRune("งญนมยรลว", list[i+2]) || strings.ContainsRune("กขคตปผพ", list[i+1]) && strings.ContainsRune("รลว", list[i+2])) {
			n = 2 // they are said together
		}
		copy(list[i:], list[i+1:i+1+n])
		list[i+n] = vowel
		i += n
	}
	return string(list)
}

// koreanEnds are the ends of names that say what kind of a town or district they are of: they
// are words of their own, since people leave them out.
var koreanEnds = [...]string{"특별자치시", "특별자치도", "특별시", "광역시", "시", "군", "구"}

// leastKorean is how many bytes of Hangul there are at least before such an end.
const leastKorean = len("부천")

// koreanEnd returns the length of such an end of a word as it is written, and folded; 0 for none.
func koreanEnd(written string, folded []byte) (n, of int) {
	for _, end := range koreanEnds {
		if name, ok := strings.CutSuffix(written, end); ok && len(name) >= leastKorean {
			if f := norm.NFKD.String(end); strings.HasSuffix(string(folded), f) {
				return len(end), len(f)
			}
		}
	}
	return 0, 0
}

// thaiWords are the words that names begin with and are written together with them.
var thaiWords = [...]string{"ถนน", "ซอย", "ตรอก", "ตำบล", "อำเภอ", "จังหวัด", "แขวง", "เขต", "ประเทศ"}

// thaiWord returns the length of such a word before another, 0 for none.
func thaiWord(s string) int {
	for _, w := range thaiWords {
		if name, ok := strings.CutPrefix(s, w); ok {
			if r, _ := utf8.DecodeRuneInString(name); thaiLetter(r) || unicode.IsDigit(r) {
				return len(w)
			}
		}
	}
	return 0
}
