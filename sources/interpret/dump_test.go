package interpret
import ("testing";"os";"fmt";"strings")
func TestDumpTmp(t *testing.T) {
	if os.Getenv("DUMP")=="" { t.Skip() }
	ip := New(load(t))
	fmt.Println(ip.res.Missing())
	f,_ := os.Create("/tmp/ip/dump.txt"); defer f.Close()
	for _, s := range corpusSteps(t) {
		ev := interpret(t, ip, everything, s.in)
		fmt.Fprintf(f, "=== %s\n%s", s.label, strings.ReplaceAll(readable(ev...), "\r", "\\r"))
	}
}
