package extension

import (
	"archive/zip"
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // CRX2 is signed with it
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
)

const plain = `{"manifest_version":3,"name":"A","version":"1.0"}`

// archive makes a .zip of names and contents, in order.
func archive(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		h := &zip.FileHeader{Name: files[i], Method: zip.Deflate}
		if files[i+1] == "" {
			h.Method = zip.Store // nothing to compress: that takes its time for each of many files
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(raw []byte) (Extension, error) {
	s, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return Extension{}, err
	}
	return s.Extension()
}

func TestAManifestIsReadAsChromiumReadsIt(t *testing.T) {
	e, err := read(archive(t, "a/manifest.json", "\xef\xbb\xbf"+`// A comment.
		{"manifest_version": 3, "name": "__MSG_appName__ /* not a comment */", "version": "1.2.3", "default_locale": "en",
		/* another */ "permissions": ["storage", "debugger", {"fileSystem": ["write"]}],
		"host_permissions": ["*://*.example.com/*"], "content_scripts": [{"matches": ["http://127.0.0.1/*"]}],
		"background": {"service_worker": "b.js"}}`,
		"a/_locales/en/messages.json", `{"APPNAME":{"message":"Reader"}}`, "a/b.js", "1", "a/_metadata/x", "2",
		"__MACOSX/a", "3"))
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "Reader /* not a comment */" || e.Version != "1.2.3" || e.ManifestVersion != 3 || !e.Background {
		t.Errorf("%+v", e)
	}
	if !slices.Equal(e.Permissions, []string{"debugger", "fileSystem", "storage"}) ||
		!slices.Equal(e.Hosts, []string{"*://*.example.com/*", "http://127.0.0.1/*"}) {
		t.Errorf("permissions %q, hosts %q", e.Permissions, e.Hosts)
	}
	reach := e.Reach()
	if len(reach) != 3 || reach[0] != "Reads and changes *.example.com and 127.0.0.1." ||
		!strings.Contains(reach[1], "get around") || !e.Grave() {
		t.Errorf("reach %q", reach)
	}
}

func TestReachNamesWhatIsGrave(t *testing.T) {
	for _, pattern := range []string{"<all_urls>", "*://*/*", "https://*/*", "http://*:*/*", "*://*:443/*"} {
		if got := (Manifest{Hosts: []string{pattern}}).Reach(); !slices.Equal(got, []string{"Reads and changes every site."}) {
			t.Errorf("%s: %q", pattern, got)
		}
	}
	if got := (Manifest{Hosts: []string{"file:///*"}}).Reach(); len(got) != 1 || !strings.Contains(got[0], "files on this computer") {
		t.Errorf("files: %q", got)
	}
	if got := (Manifest{Permissions: []string{"storage", "alarms"}}).Reach(); len(got) != 0 {
		t.Errorf("nothing: %q", got)
	}
	for _, name := range []string{"webNavigation", "activeTab", "declarativeNetRequestFeedback", "identity.email",
		"webRequestAuthProvider", "clipboardWrite", "downloads.open", "certificateProvider", "platformKeys"} {
		got := Manifest{Permissions: []string{name}}.Reach()
		if len(got) != 1 || strings.Contains(got[0], name) {
			t.Errorf("%s: %q", name, got)
		}
	}
	unknown := Manifest{Permissions: []string{"a.new", "storage", "tabs", "usb"}}.Reach()
	if len(unknown) != 2 || unknown[1] != "May do more: a.new and usb." {
		t.Errorf("unknown: %q", unknown)
	}
	many := Manifest{Hosts: []string{"http://a/", "http://b/", "http://c/", "http://d/", "http://e/", "http://f/", "http://g/"}}
	if got := many.Reach(); got[0] != "Reads and changes a, b, c, d, e and 2 more sites." {
		t.Errorf("many: %q", got)
	}
}

// TestPaddingHidesNothing: what Cove shows of an extension is cut, and what it judges by is not.
func TestPaddingHidesNothing(t *testing.T) {
	var names, hosts strings.Builder
	for i := range 2 * maxListed {
		fmt.Fprintf(&names, `"a%05d",`, i)
		fmt.Fprintf(&hosts, `"http://a%05d.example/*",`, i)
	}
	e, err := read(archive(t, "manifest.json", `{"manifest_version":3,"name":"A","version":"1",
		"permissions":[`+names.String()+`"debugger","proxy"],"host_permissions":[`+hosts.String()+`"https://*/*"]}`))
	if err != nil {
		t.Fatal(err)
	}
	reach := strings.Join(e.Reach(), "\n")
	if !e.Grave() || !strings.Contains(reach, "every site") || !strings.Contains(reach, "Changes the proxy") {
		t.Errorf("grave %v, reach %s", e.Grave(), reach)
	}
	if len(e.Permissions) != maxListed || len(e.Hosts) != maxListed || !slices.IsSorted(e.Hosts) {
		t.Errorf("%d permissions, %d hosts", len(e.Permissions), len(e.Hosts))
	}

	for _, wide := range []string{"file:///*", "https://*.com/*"} {
		e, err := read(archive(t, "manifest.json", `{"manifest_version":3,"name":"A","version":"1",
			"host_permissions":[`+hosts.String()+`"`+wide+`"]}`))
		if err != nil {
			t.Fatal(err)
		}
		if reach := e.Reach()[0]; !strings.HasPrefix(reach, "Reads and changes "+host(wide)+", ") {
			t.Errorf("%s: %q", wide, reach)
		}
	}
}

func TestReplacedPagesAndSettingsCount(t *testing.T) {
	e, err := read(archive(t, "manifest.json", `{"manifest_version":3,"name":"A","version":"1",
		"chrome_url_overrides":{"newtab":"a.html"},"chrome_settings_overrides":{"homepage":"https://a.example"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Reach(); len(got) != 2 || strings.Contains(strings.Join(got, " "), "May do more") {
		t.Errorf("reach %q", got)
	}
}

// TestNamesInAnotherCaseHideNothing: Chromium reads only the exact names of a manifest.
func TestNamesInAnotherCaseHideNothing(t *testing.T) {
	e, err := read(archive(t, "manifest.json", `{"manifest_version":3,"name":"A","version":"1",
		"permissions":["debugger"],"Permissions":[],"permi\u017fsions":[],
		"content_scripts":[{"matches":["<all_urls>"],"Matches":[]}],"Content_Scripts":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !e.Grave() || !slices.Equal(e.Hosts, []string{allURLs}) {
		t.Errorf("permissions %q, hosts %q", e.Permissions, e.Hosts)
	}
}

func TestAnExtensionIsRefused(t *testing.T) {
	good := []string{"manifest.json", plain}
	link := func() []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		h := &zip.FileHeader{Name: "link"}
		h.SetMode(fs.ModeSymlink | 0o777)
		f, _ := w.CreateHeader(h)
		_, _ = f.Write([]byte("/etc/passwd"))
		m, _ := w.Create("manifest.json")
		_, _ = m.Write([]byte(plain))
		_ = w.Close()
		return out.Bytes()
	}
	bomb := func() []byte { // says that it is smaller than it is
		raw := archive(t, append([]string{"big", strings.Repeat("0", 1<<20)}, good...)...)
		head := bytes.LastIndex(raw, []byte("PK\x01\x02"))
		head = bytes.LastIndex(raw[:head], []byte("PK\x01\x02"))
		binary.LittleEndian.PutUint32(raw[head+24:], 10)
		return raw
	}
	for name, raw := range map[string][]byte{
		"nothing":               {},
		"a text":                []byte("hello"),
		"no manifest":           archive(t, "a.js", ""),
		"a deep manifest":       archive(t, "a/b/manifest.json", plain),
		"two manifests":         archive(t, "a/manifest.json", plain, "b/manifest.json", plain),
		"a name that climbs":    archive(t, append(good, "../x", "")...),
		"… inside a folder":     archive(t, "a/manifest.json", plain, "a/../../x", ""),
		"an absolute name":      archive(t, append(good, "/x", "")...),
		"a backslash":           archive(t, append(good, `..\x`, "")...),
		"a drive":               archive(t, append(good, "c:x", "")...),
		"a device":              archive(t, append(good, "js/NUL.js", "")...),
		"a control character":   archive(t, append(good, "a\nb", "")...),
		"a trailing dot":        archive(t, append(good, "a./b", "")...),
		"a reserved name":       archive(t, append(good, "_x/y", "")...),
		"a file twice":          archive(t, append(good, "a", "1", "A", "2")...),
		"a file as a folder":    archive(t, append(good, "a", "1", "a/b", "2")...),
		"a folder as a file":    archive(t, append(good, "b/c", "1", "B", "2")...),
		"a link":                link(),
		"a bomb":                bomb(),
		"too many files":        archive(t, append(good, manyNames()...)...),
		"an unknown version":    archive(t, "manifest.json", `{"manifest_version":1,"name":"A","version":"1"}`),
		"no name":               archive(t, "manifest.json", `{"manifest_version":3,"version":"1"}`),
		"no version":            archive(t, "manifest.json", `{"manifest_version":3,"name":"A"}`),
		"a key that is no key":  archive(t, "manifest.json", `{"manifest_version":3,"name":"A","version":"1","key":"!"}`),
		"a manifest of garbage": archive(t, "manifest.json", "{"),
		"a crx of garbage":      []byte("Cr24\x03\x00\x00\x00\xff\xff\xff\xff"),
		"a short crx":           []byte("Cr24"),
	} {
		if e, err := read(raw); fault.KindOf(err) != fault.Unprocessable {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

func manyNames() (names []string) {
	for i := range maxFiles + 1 {
		names = append(names, "f/"+string(rune('a'+i%26))+"/"+strings.Repeat("x", 1+i/26%100)+string(rune('a'+i/2600)), "")
	}
	return names
}

// directory is an archive that is nothing but a table of contents with so many entries. Its end says that it has count.
func directory(entries int, count uint16) []byte {
	header := make([]byte, 46)
	copy(header, "PK\x01\x02")
	header[28] = 1 // the length of the name
	out := bytes.Repeat(append(header, 'x'), entries)
	size := uint32(len(out))
	out = append(out, "PK\x05\x06\x00\x00\x00\x00"...)
	out = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(out, count), count)
	out = binary.LittleEndian.AppendUint32(out, size)
	return append(out, 0, 0, 0, 0, 0, 0)
}

// An archive can name a million files in a few bytes each. It is refused before anything is made of them.
func TestAnArchiveOfVeryManyEntriesIsRefusedBeforeItIsRead(t *testing.T) {
	for name, raw := range map[string][]byte{
		"a count that is right":               directory(60_000, 60_000),
		"a count that is too small":           directory(60_000, 1),
		"a count that is right modulo 65,536": directory(65_536+5, 5),
		"entries across the reader's blocks":  append(make([]byte, 17), directory(60_000, 60_000)...),
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			made := testing.AllocsPerRun(1, func() { _, err = Open(bytes.NewReader(raw), int64(len(raw))) })
			if fault.KindOf(err) != fault.Unprocessable || !strings.Contains(err.Error(), "too large") || made > 1000 {
				t.Errorf("%v, after %.0f allocations", err, made)
			}
		})
	}
	// Folders and what archive programs add are no files of the extension.
	names := []string{"manifest.json", plain}
	for i := range maxFiles + 100 {
		names = append(names, fmt.Sprintf("d%d/", i), "")
	}
	if _, err := read(archive(t, names...)); err != nil {
		t.Errorf("an extension with many folders: %v", err)
	}
}

func TestTheIdStaysTheSame(t *testing.T) {
	one, err := read(archive(t, "manifest.json", plain, "a.js", "1"))
	if err != nil {
		t.Fatal(err)
	}
	same, err := read(archive(t, "a.js", "1", "manifest.json", plain))
	if err != nil || same.BrowserID != one.BrowserID || same.Content != one.Content {
		t.Errorf("the order of the files counts: %+v, %v", same, err)
	}
	other, err := read(archive(t, "manifest.json", plain, "a.js", "2"))
	if err != nil || other.BrowserID == one.BrowserID {
		t.Errorf("another extension has the same id: %+v, %v", other, err)
	}
	// The key of a known extension, and its id.
	id, err := browserID("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A")
	if err != nil || id != "blnpkljkgfhncopcfppfealopjdilapl" {
		t.Errorf("%q, %v", id, err)
	}
}

func TestACRXHasTheIdOfItsKeyAndWasNotChanged(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	want := idOf(sha256.Sum256(public))
	body := archive(t, "manifest.json", plain)
	for name, raw := range map[string][]byte{"crx2": crx2(t, key, public, body), "crx3": crx3(t, key, public, body)} {
		e, err := read(raw)
		if err != nil || e.BrowserID != want || e.Key != base64.StdEncoding.EncodeToString(public) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
		changed := bytes.Replace(raw, []byte("manifest.json"), []byte("manifest.jsoN"), 1)
		if _, err := read(changed); err == nil || !strings.Contains(err.Error(), "signature") {
			t.Errorf("%s that was changed: %v", name, err)
		}
	}
}

func crx2(t *testing.T, key *rsa.PrivateKey, public, body []byte) []byte {
	t.Helper()
	sum := sha1.Sum(body) //nolint:gosec // see above
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	out := []byte("Cr24\x02\x00\x00\x00")
	out = binary.LittleEndian.AppendUint32(out, uint32(len(public)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(signature)))
	return slices.Concat(out, public, signature, body)
}

func crx3(t *testing.T, key *rsa.PrivateKey, public, body []byte) []byte {
	t.Helper()
	field := func(number uint64, value []byte) []byte {
		out := binary.AppendUvarint(nil, number<<3|2)
		return append(binary.AppendUvarint(out, uint64(len(value))), value...)
	}
	id := sha256.Sum256(public)
	signed := field(1, id[:16])
	text := binary.LittleEndian.AppendUint32([]byte("CRX3 SignedData\x00"), uint32(len(signed)))
	sum := sha256.Sum256(slices.Concat(text, signed, body))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	header := slices.Concat(field(2, slices.Concat(field(1, public), field(2, signature))), field(10000, signed))
	out := binary.LittleEndian.AppendUint32([]byte("Cr24\x03\x00\x00\x00"), uint32(len(header)))
	return slices.Concat(out, header, body)
}

func TestAFolderIsReadWithoutItsLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("manifest.json", plain)
	write("js/a.js", "1")
	write(".git/config", "secret")
	s, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := s.Extension()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := s.Zip(&packed); err != nil {
		t.Fatal(err)
	}
	zipped, err := read(packed.Bytes())
	if err != nil || zipped.Content != folder.Content || bytes.Contains(packed.Bytes(), []byte("secret")) {
		t.Errorf("packed: %+v, %v", zipped, err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); fault.KindOf(err) != fault.Unprocessable {
		t.Errorf("a folder with a link: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(archive(f, "manifest.json", plain, "a/b", "1"))
	f.Add([]byte("Cr24\x03\x00\x00\x00\x02\x00\x00\x00ab"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Open(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return
		}
		for _, one := range s.files {
			if checkName(one.name) != nil {
				t.Errorf("a name got through: %q", one.name)
			}
		}
		_, _ = s.Extension()
	})
}
