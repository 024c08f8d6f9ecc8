package translit

import (
	"strings"
	"unicode"
)

// The tables list letters, or two letters in a row, each with the Latin spellings that are in
// use for it, folded: without accents and in small letters. ISO 9, BGN/PCGN, GOST 7.79, ELOT 743,
// ALA-LC, the national systems and what people write without one are all there. A spelling after
// ~ is of a rarer kind; - is for letters that may have none.
const (
	greek = `α a; β v b; γ g gh ~y ~j; δ d dh ~th; ε e; ζ z; η i e ~h; θ th ~t ~8; ι i ~y ~j; κ k c; λ l; μ m; ν n; ξ x ks ~3; ο o; π p; ρ r; σ s; τ t; υ y i u ~v; φ f ph; χ ch h x kh; ψ ps; ω o ~w;
		αι ai e; ει ei i; οι oi i; ου ou u ~oy; υι yi i ui; αυ av af au ay; ευ ev ef eu ey; ηυ iv if; μπ b mp mb; ντ d nt nd; γκ g gk ng; γγ ng gg; γχ nch nh ngh nkh nx; γξ nx nks; τζ tz dz j`

	cyrillic = `а a; б b; в v ~w; г g h ~gh ~gj ~dj ~v; д d; е e ye je ie ~yo ~jo ~io ~o; ж zh z j ~g; з z ~s; и i y j ~yi ~ee; к k ~c ~kj ~q ~ck; л l; м m; н n; о o ~a; п p; р r; с s ~c; т t ~th; у u ~ou ~w ~oo;
		ф f ph; х kh h x ch; ц ts c tz cz ~z ~s; ч ch c tch ~tsch ~cz ~tj; ш sh s sch ~sz ~ch; щ shch sht sch shh sc s ~stch; ъ - a u y; ы y i ~ui ~yi; ь - ~y ~j ~i; э e ~eh; ю yu iu ju u; я ya ia ja a ~ea;
		і i yi ji ~y ~ii; є ye ie je e; ј j y i; љ lj ly l; њ nj ny n; ђ dj d gj; ћ c ch tj; џ dz dzh dj j; ѕ dz z; ә a; ғ g gh; қ k q; ң n ng; ө o; ұ u; ү u; һ h; җ j zh;
		ии y i; ыи y i; аи ~i; еи ~a ~ay; дж j dj ~g; кс x; тц tz; зг zgh; ау ~ow; кв ~qu`

	armenian = `ա a; բ b ~p; գ g ~k; դ d ~t; ե e ye; զ z; է e; ը y e u ~a; թ t th; ժ zh j z; ի i; լ l; խ kh x gh h; ծ ts c tz dz; կ k g; հ h; ձ dz ts j; ղ gh g l; ճ ch tch j c; մ m; յ y h j ~i; ն n; շ sh s; ո o vo;
		չ ch c; պ p b; ջ j ch dj; ռ r; ս s; վ v w; տ t d; ր r; ց ts c tz; ւ v w u; փ p ph; ք k q kh c; օ o; ֆ f; ու u ou; եւ ev yev; իւ yu iu; եա ya ia`

	georgian = `ა a; ბ b; გ g; დ d; ე e; ვ v w; ზ z; თ t th; ი i; კ k ~c; ლ l; მ m; ნ n; ო o; პ p; ჟ zh j z; რ r; ს s; ტ t; უ u ou; ფ p ph f; ქ k q kh c; ღ gh g; ყ q k ~y; შ sh s; ჩ ch c; ც ts c tz; ძ dz j z;
		წ ts c tz ~w; ჭ ch tch c; ხ kh x h ~ch; ჯ j dj dz ~dzh; ჰ h; ქს x`

	hebrew = `א - a e i o u; ב b v; ג g ~j ~dj; ד d; ה h - a e; ו v w o u - ~ou ~oo; ז z ~j ~zh; ח h ch kh; ט t ~th; י y i j - e ~ee; כ k kh ch c; ל l; מ m; נ n; ס s ~c; ע - a e i o u; פ p f ph; צ ts tz z c s ~ch; ק k q c ~ck;
		ר r; ש sh s ~sch ~sz; ת t th ~s; וו v w; יי y ay ai i ei; קס x`

	arabic = `ا a ~e ~i ~o ~u ~-; ب b; ت t; ث th ~t s; ج j g dj ~gh ~zh; ح h; خ kh x ~ch ~h; د d; ذ dh z d th; ر r; ز z; س s c; ش sh ch s; ص s; ض d dh z; ط t; ظ z dh ~th ~d; ع a e i o u ~-; غ gh g ~q; ف f ph ~v; ق q k ~g ~gh ~c; ك k c q ~g;
		ل l; م m; ن n; ه h a e ah eh ~t at et ~-; و w v u o ou oo ~aw ~-; ي y i e ee ~j ~a ~ai ~-; ء -; پ p; چ ch tch c; ژ zh j; گ g; ڤ v; ٹ t; ڈ d; ڑ r; ں n -; ھ h -; ہ h a - ah; ے e ai y; كس x; اي ~i; يو ~u; وو w`

	devanagari = `अ a; आ a; इ i; ई i ee; उ u; ऊ u oo; ऋ ri ru; ए e; ऐ ai; ओ o; औ au ou ow; ऑ o; ा a; ि i; ी i ee y; ु u; ू u oo; ृ ri ru; े e; ै ai e; ॉ o; ो o; ौ au ou ow; ं n m -; ँ n -; ः h -;
		क k c q; ख kh k; ग g; घ gh g; ङ n ng; च ch c; छ chh ch; ज j z; झ jh z; ञ n ny; ट t; ठ th t; ड d r; ढ dh rh d; ण n; त t; थ th t; द d; ध dh d; न n; प p; फ ph f p; ब b; भ bh b; म m; य y; र r; ल l; ळ l; व v w;
		श sh s; ष sh s; स s; ह h; कष ksh x; जञ gy gn jn`

	thai = `ก k g; ข kh k; ฃ kh k; ค kh k c; ฅ kh k; ฆ kh k; ง ng; จ ch j t; ฉ ch; ช ch t tch; ซ s z t; ฌ ch; ญ y n; ฎ d t; ฏ t; ฐ th t; ฑ th t d; ฒ th t; ณ n; ด d t; ต t d; ถ th t; ท th t d; ธ th t d; น n; บ b p; ป p b; ผ ph p; ฝ f;
		พ ph p; ฟ f p; ภ ph p bh; ม m; ย y i iya; ร r n - l; ล l n; ฬ l n; ว w v o u; ศ s t; ษ s t; ส s t; ห h -; ฮ h; อ - o a; ฤ rue ri roe ru; ะ a; ั a u; า a am ~o; ิ i; ี i ee; ึ ue u; ื ue u; ุ u oo; ู u oo; เ e - oe; แ ae a;
		โ o; ใ ai i; ไ ai i; ัว ua; ีย ia; ือ uea ua ue; ๆ -; รร an a un; ทร s; สร s`

	hangul = `ᄀ g k; ᄁ kk gg k; ᄂ n; ᄃ d t; ᄄ tt dd; ᄅ r l n; ᄆ m; ᄇ b p; ᄈ pp bb; ᄉ s sh; ᄊ ss s; ᄋ -; ᄌ j ch; ᄍ jj; ᄎ ch; ᄏ k; ᄐ t; ᄑ p; ᄒ h -;
		ᅡ a; ᅢ ae e; ᅣ ya; ᅤ yae; ᅥ eo o u; ᅦ e; ᅧ yeo yo; ᅨ ye; ᅩ o; ᅪ wa; ᅫ wae; ᅬ oe we; ᅭ yo; ᅮ u oo; ᅯ wo; ᅰ we; ᅱ wi; ᅲ yu; ᅳ eu u; ᅴ ui eui; ᅵ i ee;
		ᆨ k g ng; ᆩ k; ᆪ k; ᆫ n l; ᆬ n; ᆭ n; ᆮ t; ᆯ l r n; ᆰ k l; ᆱ m; ᆲ l; ᆷ m; ᆸ p b m; ᆹ p; ᆺ t s n; ᆻ t s n; ᆼ ng; ᆽ t j; ᆾ t ch; ᆿ k; ᇀ t; ᇁ p; ᇂ - h t`
)

// script is how words of one are compared with Latin ones.
type script struct {
	letters string
	unread  string // vowels that need not be written
	unsaid  uint8  // cost of each
	mute    uint8  // cost of a letter that is not said, 0 where that is a typo
	article bool   // the article that is no word of its own is left out
}

var scripts = [...]script{
	{letters: greek},
	{letters: cyrillic},
	{letters: armenian},
	{letters: georgian},
	{letters: hangul},
	{letters: hebrew, unread: "aeiou", unsaid: 1},
	{letters: arabic, unread: "aeiou", unsaid: 1, article: true},
	{letters: devanagari, unread: "a"},
	{letters: thai, unread: "ao", mute: 8},
}

// spelling is one way to write a letter.
type spelling struct {
	latin []rune
	cost  uint8
	after bool // only after a, o or u, whose "e" folding takes away
}

// letter has the known forms of a letter.
type letter struct {
	script    *script
	spellings []spelling
	pairs     []pair // that end with it
	begins    bool   // a pair begins with it
}

// pair is two letters that are spelt as one.
type pair struct {
	first     rune
	spellings []spelling
}

var letters = read()

func read() map[rune]*letter {
	all := map[rune]*letter{}
	for i := range scripts {
		s := &scripts[i]
		of := func(r rune) *letter {
			if all[r] == nil {
				all[r] = &letter{script: s}
			}
			return all[r]
		}
		for entry := range strings.SplitSeq(s.letters, ";") {
			fields := strings.Fields(entry)
			list := spellings(fields[1:])
			switch key := []rune(fields[0]); len(key) {
			case 1:
				of(key[0]).spellings = list
			case 2:
				of(key[0]).begins = true
				of(key[1]).pairs = append(of(key[1]).pairs, pair{key[0], list})
			}
		}
	}
	// The mark that a Thai letter is silent.
	mute := &letter{script: &scripts[len(scripts)-1]}
	for r, l := range all {
		if l.script == mute.script && unicode.Is(unicode.Lo, r) {
			l.begins = true
			mute.pairs = append(mute.pairs, pair{r, append([]spelling{{}}, l.spellings...)})
		}
	}
	all['์'] = mute
	return all
}

func spellings(fields []string) []spelling {
	var list []spelling
	for _, f := range fields {
		f, rare := strings.CutPrefix(f, "~")
		s := spelling{latin: []rune(strings.Trim(f, "-"))}
		if rare {
			s.cost = unusual
		}
		if plain := umlauts.Replace(f); plain != f {
			s.latin = []rune(plain)
		}
		list = append(list, s)
		if len(s.latin) > 0 && s.latin[0] == 'e' {
			list = append(list, spelling{s.latin[1:], s.cost + 1, true})
		}
	}
	return list
}

// umlauts is how the folding of words treats what may be a German umlaut.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
