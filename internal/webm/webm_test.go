package webm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// vp8 is the beginning of a key frame of a size, with a mark.
func vp8(width, height int, mark byte) []byte {
	f := []byte{0x10, 0, 0, 0x9d, 0x01, 0x2a}
	f = binary.LittleEndian.AppendUint16(f, uint16(width))
	f = binary.LittleEndian.AppendUint16(f, uint16(height))
	return append(f, mark)
}

func chunk(kind string, content []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(content)))
	out = append(out, content...)
	if len(content)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

func riff(chunks ...[]byte) []byte {
	content := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(content))), content...)
}

func image(mark byte) []byte { return riff(chunk("VP8 ", vp8(320, 200, mark))) }

// part is an element that was read back.
type part struct {
	id       uint64
	at, body int // where it and its content begin
	end      int
	unknown  bool
	parts    []part
	file     []byte
}

func (p part) content() []byte { return p.file[p.body:p.end] }

func (p part) uint() (v uint64) {
	for _, b := range p.content() {
		v = v<<8 | uint64(b)
	}
	return v
}

func (p part) all(id uint64) (found []part) {
	for _, c := range p.parts {
		if c.id == id {
			found = append(found, c)
		}
	}
	return found
}

// one follows a path to the only element there.
func (p part) one(t *testing.T, path ...uint64) part {
	t.Helper()
	for _, id := range path {
		found := p.all(id)
		if len(found) != 1 {
			t.Fatalf("%d elements %#x in %#x", len(found), id, p.id)
		}
		p = found[0]
	}
	return p
}

var masters = []uint64{
	idEBML,
	idSegment,
	idSeekHead,
	idSeek,
	idInfo,
	idTracks,
	idTrackEntry,
	idVideo,
	idCluster,
	idCues,
	idCuePoint,
	idCueTrackPositions,
}

// parse reads elements until the end, or until one that cannot be inside an element of unknown size.
func parse(t *testing.T, file []byte, from, to int, parent uint64, open bool) (all []part, at int) {
	t.Helper()
	for at = from; at < to; {
		p := part{at: at, file: file}
		n := leading(file[at])
		p.id = value(file[at : at+n])
		if open && parent == idCluster && (p.id == idCluster || p.id == idCues) {
			return all, at
		}
		at += n
		n = leading(file[at])
		size := value(file[at:at+n]) &^ (1 << (7 * n))
		p.unknown = size == 1<<(7*n)-1
		p.body = at + n
		p.end = p.body + int(size)
		if p.unknown {
			p.end = to
		}
		if p.end > to {
			t.Fatalf("element %#x at %d ends at %d, outside of its parent that ends at %d", p.id, p.at, p.end, to)
		}
		if slices.Contains(masters, p.id) {
			p.parts, p.end = parse(t, file, p.body, p.end, p.id, p.unknown)
		}
		at = p.end
		all = append(all, p)
	}
	return all, at
}

func leading(b byte) int {
	n := 1
	for mask := byte(0x80); b&mask == 0; mask >>= 1 {
		n++
	}
	return n
}

func value(b []byte) (v uint64) {
	for _, x := range b {
		v = v<<8 | uint64(x)
	}
	return v
}

// read gives the film back as a root element.
func read(t *testing.T, file []byte) part {
	t.Helper()
	parts, _ := parse(t, file, 0, len(file), 0, false)
	return part{parts: parts, file: file}
}

// shown lists the pictures of a film: their times and marks.
func shown(t *testing.T, film part) (all []string) {
	t.Helper()
	for _, c := range film.one(t, idSegment).all(idCluster) {
		from := c.one(t, idTimestamp).uint()
		for _, b := range c.all(idSimpleBlock) {
			body := b.content()
			if body[0] != 0x81 || body[3] != 0x80 {
				t.Errorf("block with track %#x and flags %#x", body[0], body[3])
			}
			all = append(all, fmt.Sprintf("%d ms: %c", from+uint64(binary.BigEndian.Uint16(body[1:])),
				body[len(body)-1]))
		}
	}
	return all
}

func add(t *testing.T, f *Writer, at time.Duration, mark byte) {
	t.Helper()
	if err := f.AddWebP(at, image(mark)); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "film.webm"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	f := NewWriter(file)
	for i, at := range []time.Duration{5 * time.Second, 5500 * time.Millisecond, 6999 * time.Millisecond,
		7 * time.Second,
		47 * time.Second} {
		add(t, f, at, byte('a'+i))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(file.Name())
	film := read(t, raw)
	if diff := cmp.Diff([]string{"0 ms: a", "500 ms: b", "1999 ms: c", "2000 ms: d", "42000 ms: e"},
		shown(t, film)); diff != "" {
		t.Error(diff)
	}
	if got := string(film.one(t, idEBML, idDocType).content()); got != "webm" {
		t.Errorf("document type %q", got)
	}
	segment := film.one(t, idSegment)
	if segment.unknown || segment.end != len(raw) {
		t.Errorf("the segment ends at %d of %d", segment.end, len(raw))
	}
	track := segment.one(t, idTracks, idTrackEntry)
	if w, h := track.one(t, idVideo, idPixelWidth).uint(), track.one(t, idVideo, idPixelHeight).uint(); w != 320 ||
		h != 200 ||
		string(track.one(t, idCodecID).content()) != "V_VP8" {
		t.Errorf("track of %d×%d", w, h)
	}
	if d := math.Float64frombits(segment.one(t, idInfo, idDuration).uint()); d != 42_100 {
		t.Errorf("duration %v", d)
	}
	at := map[uint64]uint64{} // what is where in the segment
	var clusters []uint64
	for _, p := range segment.parts {
		at[p.id] = uint64(p.at - segment.body)
		if p.id == idCluster {
			clusters = append(clusters, uint64(p.at-segment.body))
			if p.unknown {
				t.Error("a cluster has no size")
			}
		}
	}
	for _, s := range segment.one(t, idSeekHead).all(idSeek) {
		if id, where := s.one(t, idSeekID).uint(), s.one(t, idSeekPosition).uint(); at[id] != where {
			t.Errorf("element %#x is said to be at %d, and is at %d", id, where, at[id])
		}
	}
	var cued []uint64
	for _, p := range segment.one(t, idCues).all(idCuePoint) {
		cued = append(cued, p.one(t, idCueTrackPositions, idCueClusterPosition).uint())
	}
	if !slices.Equal(cued, clusters) || len(clusters) != 3 {
		t.Errorf("index %v, clusters %v", cued, clusters)
	}
	if err := f.AddWebP(time.Minute, image('z')); err == nil {
		t.Error("a closed film takes a picture")
	}
}

func TestWithoutClose(t *testing.T) {
	for name, w := range map[string]func(t *testing.T) (io.Writer, func() []byte){
		"a stream": func(*testing.T) (io.Writer, func() []byte) { var b bytes.Buffer; return &b, b.Bytes },
		"a file": func(t *testing.T) (io.Writer, func() []byte) {
			file, err := os.Create(filepath.Join(t.TempDir(), "film.webm"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = file.Close() })
			return file, func() []byte { raw, _ := os.ReadFile(file.Name()); return raw }
		},
	} {
		t.Run(name, func(t *testing.T) {
			out, raw := w(t)
			f := NewWriter(out)
			for i := range 5 {
				add(t, f, time.Duration(i)*time.Second, byte('a'+i))
			}
			film := read(t, raw())
			if diff := cmp.Diff([]string{"0 ms: a", "1000 ms: b", "2000 ms: c", "3000 ms: d", "4000 ms: e"},
				shown(t, film)); diff != "" {
				t.Error(diff)
			}
			if !film.one(t, idSegment).unknown {
				t.Error("the segment has a size before its end")
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if got := shown(t, read(t, raw())); len(got) != 5 {
				t.Errorf("after Close: %v", got)
			}
		})
	}
}

func TestAPipeIsAStream(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	f := NewWriter(w)
	add(t, f, 0, 'a')
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	_ = w.Close()
	raw, _ := io.ReadAll(r)
	if got := shown(t, read(t, raw)); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestTimesThatDoNotGrow(t *testing.T) {
	var b bytes.Buffer
	f := NewWriter(&b)
	for i, ms := range []int{100, 100, 100, 90, 250} {
		add(t, f, time.Duration(ms)*time.Millisecond, byte('a'+i))
	}
	if diff := cmp.Diff([]string{"0 ms: a", "1 ms: b", "2 ms: c", "3 ms: d", "150 ms: e"},
		shown(t, read(t, b.Bytes()))); diff != "" {
		t.Error(diff)
	}
}

func TestPictures(t *testing.T) {
	frame := vp8(320, 200, 'x')
	for name, tc := range map[string]struct {
		webp []byte
		err  error
	}{
		"the simple format": {webp: riff(chunk("VP8 ", frame))},
		"the extended format": {webp: riff(chunk("VP8X", make([]byte, 10)), chunk("ICCP", []byte("odd")),
			chunk("VP8 ", frame))},
		"one with transparency": {webp: riff(chunk("VP8X", make([]byte, 10)), chunk("ALPH", []byte("alpha")),
			chunk("VP8 ", frame))},
		"a lossless one": {webp: riff(chunk("VP8L", []byte{0x2f, 1, 2, 3})), err: ErrLossless},
		"a lossless one in the extended format": {webp: riff(chunk("VP8X", make([]byte, 10)),
			chunk("VP8L", []byte{0x2f})),
			err: ErrLossless},
		"an animation": {webp: riff(chunk("VP8X", make([]byte, 10)), chunk("ANIM", make([]byte, 6)),
			chunk("ANMF", make([]byte, 40))), err: ErrNotImage},
		"another size": {webp: riff(chunk("VP8 ", vp8(321, 200, 'x'))), err: ErrSize},
		"a frame that needs another": {webp: riff(chunk("VP8 ", append([]byte{0x11}, frame[1:]...))),
			err: ErrNotImage},
		"a frame without a size":      {webp: riff(chunk("VP8 ", vp8(0, 200, 'x'))), err: ErrNotImage},
		"a picture that is cut short": {webp: riff(chunk("VP8 ", frame))[:24], err: ErrNotImage},
		"a PNG":                       {webp: []byte("\x89PNG\r\n\x1a\n0000"), err: ErrNotImage},
		"nothing":                     {err: ErrNotImage},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			f := NewWriter(&b)
			add(t, f, 0, 'a')
			before := b.Len()
			err := f.AddWebP(time.Second, tc.webp)
			if !errors.Is(err, tc.err) {
				t.Fatalf("error %v, want %v", err, tc.err)
			}
			if err != nil && b.Len() != before {
				t.Error("a refused picture left something in the film")
			}
			add(t, f, 2*time.Second, 'z')
			want := []string{"0 ms: a", "1000 ms: x", "2000 ms: z"}
			if err != nil {
				want = slices.Delete(want, 1, 2)
			}
			if diff := cmp.Diff(want, shown(t, read(t, b.Bytes()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFilmWithoutPictures(t *testing.T) {
	var b bytes.Buffer
	if err := NewWriter(&b).Close(); !errors.Is(err, ErrEmpty) || b.Len() != 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

// fullDisk takes some bytes and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		return 0, errors.New("no space")
	}
	d.room -= len(b)
	return len(b), nil
}

func TestAFullDiskIsSaidEachTime(t *testing.T) {
	f := NewWriter(&fullDisk{room: 300})
	add(t, f, 0, 'a')
	long := riff(chunk("VP8 ", append(vp8(320, 200, 'x'), make([]byte, 500)...)))
	if err := f.AddWebP(time.Second, long); err == nil {
		t.Error("the disk is full and nobody says so")
	}
	if f.AddWebP(2*time.Second, image('b')) == nil || f.Close() == nil {
		t.Error("after a failed write the film goes on")
	}
}

func FuzzAddWebP(f *testing.F) {
	f.Add(image('a'))
	f.Add(riff(chunk("VP8X", make([]byte, 10)), chunk("VP8L", []byte{0x2f})))
	f.Fuzz(func(t *testing.T, webp []byte) {
		var b bytes.Buffer
		if NewWriter(&b).AddWebP(0, webp) == nil {
			read(t, b.Bytes())
		}
	})
}
