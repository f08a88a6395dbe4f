package brain

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Artifacts come with their metadata, time and content (M06), earlier versions only where they say something else, and
// one of which only metadata is left says so (A13).
func TestCaseM06Artifacts(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, store(t, map[string]string{
		"task.md": "# Task\n", "task.md.metadata.json": `{"artifactType":"ARTIFACT_TYPE_TASK", "summary":  "What to do","updatedAt":"2026-07-02T18:33:36.5Z","version":"3","userFacing":true,"more":{"a":[1]}}`,
		"task.md.resolved": "# Task\n", "task.md.resolved.0": "# First\n", "task.md.resolved.10": "# Eleventh\n", "task.md.resolved.2": "# First\n",
		"run.ps1": "Get-Item\n", "run.ps1.metadata.json": "{}", "empty.md": "", "data.bin": "a\x00b",
		"odd.md": "x", "odd.md.metadata.json": "{not json",
		"sub/deep.md": "deep",
	}))
	list := rest(t, f)
	want := []string{
		"artifact data.bin | notice: The file's 3 bytes are no text and are not shown.",
		"artifact empty.md | notice: The file is empty.",
		"artifact odd.md | notice: The metadata of this file cannot be read. | code Metadata: {not json | markdown: x",
		"artifact run.ps1 | code: Get-Item / ",
		"artifact sub/deep.md | markdown: deep",
		`artifact task.md | key_values: Type: ARTIFACT_TYPE_TASK / Summary: What to do / Version: 3 / For the person: yes / more: {"a":[1]} | markdown: # Task / `,
		"revision task.md.resolved.0 | markdown: # First / ",
		"revision task.md.resolved.2 | notice: The same as task.md.resolved.0.",
		"revision task.md.resolved.10 | markdown: # Eleventh / ",
		"revision task.md.resolved | notice: The same as task.md.",
	}
	if diff := cmp.Diff(want, lines(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	task := list[5]
	if task.GetUpdatedNs() != 1783017216500000000 || task.GetMimeType() != "text/markdown" || task.GetSize() != 7 ||
		task.GetUri() != "brain/"+testID+"/task.md" || task.GetSha256() != fmt.Sprintf("%x", sha256.Sum256([]byte("# Task\n"))) {
		t.Errorf("%v", task)
	}
}

func TestCaseA13ArtifactIsGone(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, store(t, map[string]string{"plan.md.metadata.json": `{"summary":"The plan","updatedAt":"2026-07-02T18:33:36Z"}`}))
	list := rest(t, f)
	want := []string{"artifact plan.md | key_values: Summary: The plan | notice: The file is no longer on disk; only what the product noted about it is left."}
	if diff := cmp.Diff(want, lines(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if list[0].Size != nil || list[0].GetSha256() != "" || list[0].GetUpdatedNs() == 0 {
		t.Errorf("%v", list[0])
	}
}

// Uploads and generated images are shown as media; one that a step names belongs to it, also from the shared folder.
func TestCaseM03Uploads(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, store(t, map[string]string{
		"media__1783017216500.png": "png", "uploaded_image_0_1783017216500.webp": "webp", "sunset_1783017216500.png": "image",
		".user_uploaded/notes.pdf": "pdf", ".tempmediaStorage/media__1.jpg": "jpg",
		"/brain/tempmediaStorage/media__1783017216501.jpg": "shared",
	}))
	want := []string{
		"upload .tempmediaStorage/media__1.jpg | media: media__1.jpg",
		"upload .user_uploaded/notes.pdf | media: notes.pdf",
		"upload media__1783017216500.png | media: media__1783017216500.png",
		"upload uploaded_image_0_1783017216500.webp | media: uploaded_image_0_1783017216500.webp",
		"image sunset_1783017216500.png | media: sunset_1783017216500.png",
	}
	list := rest(t, f)
	if diff := cmp.Diff(want, lines(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if m := list[2].GetBlocks()[0].GetMedia(); list[2].GetUpdatedNs() != 1783017216500e6 || m.GetMimeType() != "image/png" || m.GetSize() != 3 ||
		m.GetUri() != "brain/"+testID+"/media__1783017216500.png" || len(m.GetSha256()) != 64 {
		t.Errorf("%v", list[2])
	}
	st := step(2, "")
	for _, uri := range []string{
		"file:///c:/Users/x/.gemini/antigravity/brain/" + testID + "/media__1783017216500.png",
		`C:\Users\x\.gemini\antigravity\brain\tempmediaStorage\media__1783017216501.jpg`,
		"file:///etc/passwd", "media__none.png",
	} {
		st.Blocks = append(st.Blocks, &transcriptv1.Block{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: uri}}})
	}
	want = []string{
		"upload media__1783017216500.png @step-2",
		"upload brain/tempmediaStorage/media__1783017216501.jpg @step-2",
	}
	if diff := cmp.Diff(want, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A generated image belongs to the step that says where it is, and is shown there unless the step shows it.
func TestCaseM07GeneratedImage(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, store(t, map[string]string{"cat_1783017216500.png": "png", "dog_1783017216500.png": "png"}))
	st := step(3, `Generated image is saved at C:\Users\x\brain\cat_1783017216500.png.`)
	if got := f.Beside(st); got != nil {
		t.Errorf("a step that made no image: %v", got)
	}
	st.Kind = "GENERATE_IMAGE"
	if diff := cmp.Diff([]string{"image cat_1783017216500.png @step-3 | media: cat_1783017216500.png"}, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	st.Blocks = append(st.Blocks, &transcriptv1.Block{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "file:///x/cat_1783017216500.png"}}})
	if diff := cmp.Diff([]string{"image cat_1783017216500.png @step-3"}, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The log of a background task stands at its step, whole or from both ends; a missing one is named.
func TestCaseO06TaskLogs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of the log, 34 characters.\n", 10_000)
	f := mustOpen(t, store(t, map[string]string{
		".system_generated/tasks/task-1.log":   "building\r\ndone\r\n",
		".system_generated/tasks/task-2.log":   long,
		".system_generated/tasks/task-3.log":   "\xff\xfeh\x00i\x00",
		".system_generated/tasks/task-x.log":   "odd name",
		".system_generated/steps/5/output.txt": "all of it\n", ".system_generated/steps/5/content.md": "# Page", ".system_generated/steps/x/output.txt": "odd",
	}))
	whole := lines(f.Beside(step(1, "other text")))
	if diff := cmp.Diff([]string{"task_log .system_generated/tasks/task-1.log @step-1 | code: building\r / done\r / "}, whole); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	same := lines(f.Beside(step(1, "building\ndone")))
	if diff := cmp.Diff([]string{"task_log .system_generated/tasks/task-1.log @step-1 | notice: The step shows all of it."}, same); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"task_log .system_generated/tasks/task-2.log @step-2 | notice: The step shows all of it."}, lines(f.Beside(step(2, long)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	blocks := f.Beside(step(2, ""))[0].GetBlocks()
	if len(blocks) != 3 || blocks[0].GetLabel() != "Beginning" || blocks[2].GetLabel() != "End" ||
		!strings.HasPrefix(blocks[2].GetText(), "a line") || !strings.HasSuffix(blocks[0].GetText(), "characters.\n") {
		t.Fatalf("%v", blocks)
	}
	if shown := len(blocks[0].GetText()) + len(blocks[2].GetText()); blocks[1].GetText() != "274516 bytes omitted here; the file has 340000." || shown != 340_000-274_516 {
		t.Errorf("%q, %d bytes shown", blocks[1].GetText(), shown)
	}
	if diff := cmp.Diff([]string{"task_log .system_generated/tasks/task-3.log @step-3 | code: hi"}, lines(f.Beside(step(3, "")))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	st := step(4, "")
	st.TaskId = testID + "/task-4"
	if diff := cmp.Diff([]string{"task_log .system_generated/tasks/task-4.log @step-4 | notice: The log of this task is no longer on disk."}, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	st = step(6, "")
	st.TaskId = testID + "/task-4" // a later step about the same task
	if got := f.Beside(st); got != nil {
		t.Errorf("%v", got)
	}
	want := []string{
		"output .system_generated/steps/5/content.md @step-5 | code: # Page",
		"output .system_generated/steps/5/output.txt @step-5 | notice: The step shows all of it.",
	}
	if diff := cmp.Diff(want, lines(f.Beside(step(5, "all of it")))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Whatever names no step is shown with the rest, as are those whose step may be lost.
	var names []string
	for _, a := range rest(t, f) {
		names = append(names, a.GetKind()+" "+strings.TrimPrefix(a.GetName(), generated))
	}
	want = []string{
		"artifact steps/x/output.txt", "artifact tasks/task-x.log",
		"task_log tasks/task-1.log", "task_log tasks/task-2.log", "task_log tasks/task-3.log", "output steps/5/content.md", "output steps/5/output.txt",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	prompt := base64.StdEncoding.EncodeToString(build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT","userInput":{"userResponse":"and then?"}}`))
	at := generated + "messages/"
	f := mustOpen(t, store(t, map[string]string{
		at + "b.json": `{"id":"b", "recipient":"` + testID + `","sender":"` + testID + `/task-4","priority":"MESSAGE_PRIORITY_LOW","timestamp":"2026-06-16T16:45:29.450051179Z",
			"renderDetails":{"messageTitle":"Build was canceled"},"hideFromUser":true,"content":"Task was canceled","sourceMetadata":{"tool":{"conversationId":"` + testID + `","stepIndex":4,"toolCall":{}}},"new":1}`,
		at + "a.json":             `{"id":"a","recipient":"other","sender":"` + testID + `","timestamp":"2026-06-16T16:45:30Z","content":"hello"}`,
		at + "q.json":             `{"id":"q","recipient":"` + testID + `","sender":"user","timestamp":"2026-06-16T16:45:28Z","deliveryStrategy":"MESSAGE_DELIVERY_STRATEGY_WHEN_IDLE","stepPayload":"` + prompt + `"}`,
		at + "r.json":             `{"sender":"user","stepPayload":"!"}`,
		at + "s.json":             `{"sender":"user","stepPayload":"/w=="}`,
		at + "bad.json":           `[1`,
		at + "read.json":          `{"b":true}`,
		at + "cursor.json":        `{}`,
		at + "undelivered/q":      "",
		at + "not a message.text": "x",
	}))
	list := rest(t, f)
	want := []string{
		"artifact .system_generated/messages/not a message.text | code: x",
		"message .system_generated/messages/bad.json | notice: This message cannot be read. | code: [1",
		"message .system_generated/messages/b.json | key_values: Title: Build was canceled / From: " + testID + "/task-4 / Priority: LOW / Hidden from the person: yes / Delivered: yes / About step: 4 / new: 1 | text: Task was canceled",
		"message .system_generated/messages/a.json | key_values: From: " + testID + " / To: other | text: hello",
		"queued_prompt .system_generated/messages/r.json | key_values: From: user | notice: The prompt in this message is not base64: illegal base64 data at input byte 0. | code Stored step: !",
		"queued_prompt .system_generated/messages/s.json | key_values: From: user | notice: The stored content of this step could not be decoded. | notice: The prompt in this message: Step 0 could not be decoded: not a gemini_coder.Step: malformed at byte 0. | code Stored step: /w==",
		"queued_prompt .system_generated/messages/q.json | key_values: From: user / Delivery: WHEN_IDLE / Delivered: no | markdown: and then?",
	}
	if diff := cmp.Diff(want, lines(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if list[2].GetUpdatedNs() != 1781628329450051179 {
		t.Errorf("%v", list[2])
	}
}

// A message that became a step, and a queued prompt that did, belong to that step and say nothing twice.
func TestDeliveredMessages(t *testing.T) {
	t.Parallel()
	prompt := base64.StdEncoding.EncodeToString(build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT","userInput":{"userResponse":"and then?"}}`))
	at := generated + "messages/"
	files := map[string]string{at + "q.json": `{"sender":"user","timestamp":"2026-06-16T16:45:28Z","stepPayload":"` + prompt + `"}`}
	for i := range 3 {
		files[fmt.Sprintf("%sm%d.json", at, i)] = fmt.Sprintf(`{"sender":"x/task-4","timestamp":"2026-06-16T16:45:2%dZ","content":"message %d"}`, i, i)
	}
	f := mustOpen(t, store(t, files))
	st := step(5, "The following is a message: message 1\n")
	st.Kind, st.Sender = "SYSTEM_MESSAGE", "x/task-4"
	if diff := cmp.Diff([]string{"message " + at + "m1.json @step-5 | notice: The step shows all of it."}, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	st.Sender = "x/task-5"
	if got := f.Beside(st); got != nil {
		t.Errorf("of another sender: %v", got)
	}
	st = step(6, "and then?")
	st.Kind = "USER_INPUT"
	if diff := cmp.Diff([]string{"queued_prompt " + at + "q.json @step-6 | notice: The step shows all of it."}, lines(f.Beside(st))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	st = step(7, "and now?")
	st.Kind = "USER_INPUT"
	if got := f.Beside(st); got != nil {
		t.Errorf("another prompt: %v", got)
	}
}

func TestScratchAndChildren(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, store(t, map[string]string{
		"scratch/a.py": "print()", "scratch/deep/b.txt": "", "scratch/.git/config": "x",
		".system_generated/subagents/c2.json": `{"conversationId":"c2", "spawnStepIndex": 7}`,
		".system_generated/subagents/c1.json": `{"conversationId":"c1", "spawnStepIndex": 7}`,
		".system_generated/subagents/c3.json": `{"conversationId":"c3"}`,
		".system_generated/subagents/c4.json": `{"conversationId":4, "spawnStepIndex": -1}`,
	}))
	if diff := cmp.Diff([]string{"scratch scratch/ | listing: a.py / deep/b.txt"}, lines(rest(t, f))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[uint32][]string{7: {"c1", "c2"}}, f.Children()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Nothing outside the store is read, no link is followed, and what may hold secrets is not opened.
func TestCaseH11NothingLeaksIn(t *testing.T) {
	t.Parallel()
	ref := store(t, map[string]string{
		"terminals/.env": "TOKEN=1", ".git/HEAD": "ref", ".env": "TOKEN=2", ".env.local": "TOKEN=3", "id_rsa": "KEY", "server.pem": "KEY", "credentials.json": "{}",
		"credentials.md": "how to get them", "environment.md": "fine",
		".system_generated/logs/transcript.jsonl": "{}", "chunks/transcript/00000000.jsonl": "{}", "overview.txt": "old log",
	})
	secret := filepath.Join(t.TempDir(), "outside.md")
	dir := filepath.Join(ref.Root, "brain", testID)
	if err := errors.Join(os.WriteFile(secret, []byte("outside"), 0o600), os.Symlink(secret, filepath.Join(dir, "out.md")),
		os.Symlink("environment.md", filepath.Join(dir, "in.md")), os.Symlink(filepath.Dir(secret), filepath.Join(dir, "folder"))); err != nil {
		t.Skip("no links here: ", err)
	}
	const unread, link = " | notice: The file may hold secrets and is not read.", " | notice: This is a symbolic link, which is not followed."
	want := []string{
		"artifact .env" + unread, "artifact .env.local" + unread, "artifact credentials.json" + unread, "artifact credentials.md | markdown: how to get them",
		"artifact environment.md | markdown: fine", "artifact folder" + link, "artifact id_rsa" + unread, "artifact in.md" + link, "artifact out.md" + link,
		"artifact server.pem" + unread,
	}
	list := rest(t, mustOpen(t, ref))
	if diff := cmp.Diff(want, lines(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, a := range list {
		// Whoever copies files goes by the address.
		if read := strings.HasSuffix(a.GetName(), "ment.md") || a.GetName() == "credentials.md"; read != (a.GetUri() != "") {
			t.Errorf("%s has the address %q", a.GetName(), a.GetUri())
		}
	}
	// The folder itself may be a way out.
	ref.ID = "99999999-2222-4333-8444-555555555555"
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(ref.Root, "brain", ref.ID)); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(ref); f != nil || !errors.Is(err, sources.ErrUnreadable) {
		t.Errorf("%v, %v", f, err)
	}
}

func TestNoFolder(t *testing.T) {
	t.Parallel()
	for _, ref := range []sources.Ref{{}, {ID: testID}, {ID: testID, Root: t.TempDir()}, {Brain: filepath.Join(t.TempDir(), "none")}} {
		if f, err := Open(ref); f != nil || err != nil {
			t.Errorf("%+v: %v, %v", ref, f, err)
		}
	}
	ref := store(t, map[string]string{"a.md": "x"})
	f := mustOpen(t, sources.Ref{Brain: filepath.Join(ref.Root, "brain", testID)})
	if list := rest(t, f); len(list) != 1 || list[0].GetUri() != "brain/"+testID+"/a.md" {
		t.Errorf("%v", list)
	}
}

func TestBoundsAndCancelling(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxScratch + 5 {
		files[fmt.Sprintf("scratch/%d", i)] = ""
	}
	deep := strings.Repeat("d/", maxDepth+2)
	files[deep+"f.md"] = "x"
	files["big.md"] = strings.Repeat("é", maxArtifact)
	files["big.md.metadata.json"] = strings.Repeat(" ", maxMetadata+1)
	f := mustOpen(t, store(t, files))
	got := lines(rest(t, f))
	if len(got) != 3 || !strings.Contains(got[0], "big.md.metadata.json: The file has 262145 bytes and is not read: at most 262144 are.") ||
		!strings.Contains(got[0], "1048576 bytes omitted here; the file has 2097152.") || !strings.Contains(got[1], "There are more files than the 2000 that are looked at.") ||
		!strings.Contains(got[2], "cannot be listed, or lies too deep") {
		t.Errorf("%.900q", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.Rest(ctx, func(*transcriptv1.Attachment) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	if err := f.Rest(context.Background(), func(*transcriptv1.Attachment) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}
