package places_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
)

// node is an object with its tags, and the questions that it is the answer to.
type node struct {
	tags string // key=value with ; between
	ask  []string
}

// asked writes nodes to a file, a hundred metres apart, imports it and checks that each question
// finds its node first.
func asked(t *testing.T, country string, nodes []node) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<osm version="0.6">`)
	at := func(i int) geo.Point {
		return geo.Point{Lon: 139.7 + 0.001*float64(i%10), Lat: 35.6 + 0.001*float64(i/10)}
	}
	for i, n := range nodes {
		fmt.Fprintf(&b, `<node id="%d" version="1" lat="%.7f" lon="%.7f">`, i+1, at(i).Lat, at(i).Lon)
		for tag := range strings.SplitSeq(n.tags, ";") {
			k, v, _ := strings.Cut(strings.TrimSpace(tag), "=")
			fmt.Fprintf(&b, `<tag k="%s" v="%s"/>`, k, v)
		}
		b.WriteString("</node>")
	}
	b.WriteString("</osm>")
	path := filepath.Join(t.TempDir(), "town.osm")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	x := built(t, places.Options{Sources: []string{path}, Country: country})
	for i, n := range nodes {
		for _, q := range n.ask {
			hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 2})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) == 0 || geo.Distance(hits[0].At, at(i)) > 10 {
				t.Errorf("%q finds %v, want %s", q, hits, n.tags)
			}
		}
	}
}

func TestJapan(t *testing.T) {
	const marunouchi = "addr:province=東京都;addr:city=千代田区;addr:quarter=丸の内;"
	asked(t, "JP", []node{
		{"place=city;name=千代田区;population=60000;addr:province=東京都", []string{"千代田区", "東京都千代田区"}},
		{"place=quarter;name=丸の内", []string{"丸の内", "丸ノ内", "千代田区丸の内"}},
		{marunouchi + "addr:neighbourhood=1丁目;addr:block_number=9;addr:housenumber=1", []string{
			"東京都千代田区丸の内1丁目9番1号", "東京都千代田区丸の内一丁目9-1", "千代田区丸の内1-9-1", "丸の内１丁目９−１", "1-9-1 丸の内", "丸の内 1-9-1 千代田区 東京都", "丸の内１－９－１", "東京都 千代田区 丸ノ内 一丁目 九番 一号",
		}},
		{marunouchi + "addr:neighbourhood=1丁目;addr:block_number=1;addr:housenumber=9", []string{"丸の内1-1-9", "丸の内一丁目1番9号", "千代田区丸の内1丁目1-9"}},
		{marunouchi + "addr:neighbourhood=丸の内二丁目;addr:block_number=9;addr:housenumber=1", []string{"丸の内2-9-1", "2-9-1 丸の内", "丸の内二丁目9-1", "丸の内2丁目9番1号, 千代田区"}},
		{marunouchi + "addr:neighbourhood=2丁目;addr:block_number=7;addr:housenumber=2;name=東京中央郵便局;amenity=post_office", []string{"東京中央郵便局", "丸の内2-7-2", "千代田区丸の内2丁目7番2号"}},
		{"addr:city=横浜市;addr:suburb=中区;addr:quarter=山下町;addr:housenumber=279", []string{"横浜市中区山下町279", "山下町279番地", "神奈川県横浜市中区山下町２７９番地"}},
		{"addr:city=横浜市;addr:suburb=中区;addr:quarter=山下町;addr:block_number=18;addr:housenumber=3", []string{"横浜市中区山下町18-3", "山下町18番地3", "山下町１８ー３", "18-3 山下町"}},
		{"addr:province=北海道;addr:city=札幌市;addr:suburb=中央区;addr:quarter=北一条西;addr:neighbourhood=二丁目;addr:block_number=1;addr:housenumber=12", []string{"北海道札幌市中央区北一条西二丁目1番12号", "札幌市中央区北1条西2丁目1-12", "北一条西2-1-12, 札幌市"}},
		{"name=スターバックス コーヒー;amenity=cafe", []string{"すたーばっくす", "ｽﾀｰﾊﾞｯｸｽ", "スターバックスコーヒー"}},
		{"place=quarter;name=霞が関", []string{"霞ヶ関", "霞ケ関", "霞が関"}},
	})
}

func TestChinaAndKorea(t *testing.T) {
	asked(t, "CN", []node{
		{"place=city;name=杭州市;population=9000000;addr:province=浙江省", []string{"杭州市", "浙江省杭州市", "杭州"}},
		{"addr:province=浙江省;addr:city=杭州市;addr:district=西湖区;addr:street=文三路;addr:housenumber=478号", []string{"浙江省杭州市西湖区文三路478号", "文三路478号", "杭州市文三路４７８號", "西湖区文三路478", "文三路478号 西湖区 杭州市 浙江省", "浙江省杭州市西湖区文三路华星时代广场一楼咖啡厅478号"}},
		{"addr:province=浙江省;addr:city=杭州市;addr:district=西湖区;addr:street=文三路;addr:housenumber=48", []string{"文三路48号", "杭州文三路四十八号"}},
		{"addr:province=浙江省;addr:city=杭州市;addr:district=上城区;addr:street=中山中路;addr:housenumber=20号", []string{"杭州市上城区中山中路20号", "中山中路二十号"}},
	})
	asked(t, "KR", []node{
		{"place=city;name=서울특별시;population=9000000", []string{"서울특별시", "서울", "서울시", "Seoul"}},
		{"addr:city=서울특별시;addr:district=종로구;addr:street=세종대로;addr:housenumber=209", []string{"서울특별시 종로구 세종대로 209", "세종대로 209", "209 Sejong-daero, Jongno-gu, Seoul", "종로구 세종대로209"}},
		{"addr:city=서울특별시;addr:district=강남구;addr:street=테헤란로;addr:housenumber=152", []string{"서울 강남구 테헤란로 152", "테헤란로 152", "152 Teheran-ro, Gangnam-gu"}},
	})
}

func TestDigitsOfEveryScript(t *testing.T) {
	asked(t, "EG", []node{
		{"addr:street=شارع طلعت حرب;addr:housenumber=١٢;addr:city=القاهرة", []string{"شارع طلعت حرب 12", "١٢ شارع طلعت حرب", "Talaat Harb 12", "12 شارع طلعت حرب، القاهرة"}},
		{"addr:street=شارع طلعت حرب;addr:housenumber=34;addr:city=القاهرة", []string{"شارع طلعت حرب ٣٤", "۳۴ طلعت حرب", "３４ شارع طلعت حرب"}},
		{"addr:street=महात्मा गांधी मार्ग;addr:housenumber=५६", []string{"महात्मा गांधी मार्ग 56", "Mahatma Gandhi Marg 56", "५६ महात्मा गांधी मार्ग"}},
		{"addr:street=ถนนสุขุมวิท;addr:housenumber=๗๘", []string{"78 ถนนสุขุมวิท", "78 Sukhumvit Road", "๗๘ ถนน สุขุมวิท", "ถ.สุขุมวิท 78"}},
	})
}

func TestHousesWithNames(t *testing.T) {
	asked(t, "MT", []node{
		{"place=village;name=Ix-Xagħra;population=4000", nil},
		{"addr:housename=Dar il-Hena;addr:street=Triq il-Knisja;addr:city=Ix-Xagħra", []string{"Dar il-Hena, Triq il-Knisja", "Dar il-Hena, Triq il-Knisja, Ix-Xagħra", "Dar il-Hena Xaghra", "Triq il-Knisja, Dar il-Hena"}},
		{"addr:housename=Dar il-Hena;addr:street=Triq Marsalforn;addr:city=Ix-Xagħra", []string{"Dar il-Hena, Triq Marsalforn", "Triq Marsalforn, Dar il-Hena, Xaghra"}},
		{"addr:housename=Rose Cottage;addr:housenumber=5;addr:street=Mill Lane", []string{"Rose Cottage, Mill Lane", "Rose Cottage, 5 Mill Lane", "5 Mill Lane", "Rose Cott Mill Ln"}},
		{"addr:housename=Rose Cottage;addr:street=Church Road;addr:city=Ix-Xagħra", []string{"Rose Cottage, Church Road", "Rose Cottage Church Rd Xaghra"}},
		{"addr:housename=Saint Joseph;addr:housenumber=22;addr:street=Triq il-Kbira;name=Casa Bonnici;tourism=guest_house", []string{"Casa Bonnici", "Saint Joseph, Triq il-Kbira", "St Joseph, 22 Triq il-Kbira", "22 Triq il-Kbira"}},
		{"addr:housename=12 Acres;addr:place=Ix-Xagħra", []string{"12 Acres, Xaghra"}},
	})
}

// TestHouseNumbersWithoutDigits asks for houses that have letters and words in place of a number,
// among others of their street.
func TestHouseNumbersWithoutDigits(t *testing.T) {
	asked(t, "AD", []node{
		{"place=town;name=Erts;population=2000", nil},
		{"addr:housenumber=s/n;addr:street=Carretera d'Erts;addr:city=Erts", []string{"Carretera d'Erts s/n, Erts", "Erts, Carretera d'Erts s/n", "Carretera d'Erts S/N", "Ctra. d'Erts s.n.", "Carretera d'Erts s/n, Qwxville"}},
		{"addr:housenumber=1;addr:street=Carretera d'Erts;addr:city=Erts", []string{"Carretera d'Erts 1"}},
		{"addr:housenumber=Block A;addr:street=Triq il-Gdida", []string{"Block A, Triq il-Gdida", "Triq il-Gdida Block A"}},
		{"addr:housenumber=Block B;addr:street=Triq il-Gdida", []string{"Block B, Triq il-Gdida", "Flat 3, Block B, Triq il-Gdida"}},
		{"addr:housenumber=A;addr:street=Triq il-Gdida", []string{"A, Triq il-Gdida", "Triq il-Gdida A"}},
		{"addr:housenumber=Dar Maria;addr:street=Triq il-Gdida", []string{"Dar Maria, Triq il-Gdida", "triq il-gdida dar maria"}},
	})
}

// TestPostcodeBeforeAStreet writes postcodes that could be house numbers on the other side of the
// street's name.
func TestPostcodeBeforeAStreet(t *testing.T) {
	asked(t, "AD", []node{
		{"addr:housenumber=32;addr:street=Carrer Maria Pla;addr:postcode=500", []string{"500, Carrer Maria Pla 32", "Carrer Maria Pla 32, 500", "500, Carrer Maria Pla, 32", "500 Carrer Maria Pla 32"}},
		{"addr:housenumber=40;addr:street=Carrer Maria Pla;addr:postcode=500", []string{"500, Carrer Maria Pla 40"}},
	})
}

// TestWordsWrittenTogether asks for names in Latin letters that are written in one word, and for
// the beginning of a word of a script without spaces.
func TestWordsWrittenTogether(t *testing.T) {
	asked(t, "", []node{
		{"place=city;name=กรุงเทพมหานคร", []string{"กรุงเทพ", "Krung Thep Maha Nakhon"}},
		{"addr:street=Թումանյան փողոց;addr:housenumber=11", []string{"T'umanyan 11", "Tumanyan Street 11"}},
		{"place=city;name=თბილისი", []string{"T'bilisi", "Tbilisi"}},
		{"addr:street=जवाहरलाल नेहरू मार्ग;addr:housenumber=12", []string{"12 Jawaharlal Nehru Marg", "Jawahar Lal Nehru Marg 12"}},
		{"addr:street=शिवाजी चौक;addr:housenumber=4", []string{"Shivaji Chowk 4", "4 Shivaji Chauk"}},
	})
}
