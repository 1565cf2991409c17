package carrier

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func open(t testing.TB, name, text string) []*Carried {
	t.Helper()
	return openAs(t, name, text, version.Version{})
}

func openAs(t testing.TB, name, text string, v version.Version) []*Carried {
	t.Helper()
	found, err := Open(source.NewFile(name, []byte(text)), conf.Options{Version: v})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range found {
		for _, d := range c.Documents {
			checkPlaces(t, d, []byte(text))
		}
	}
	return found
}

// effective are the settings that win, each with the line it stands on; 0 for none.
func effective(t testing.TB, c *Carried) []string {
	t.Helper()
	v := c.Version()
	if !v.Known() {
		v = version.Of(1, 18)
	}
	e, err := conf.Merge(v, c.Layers...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range e.Entries() {
		s := fmt.Sprintf("%s = %s (%d)", x.Key, x.Value, x.ValueSpan.Line)
		if x.Placeholder {
			s += " placeholder"
		}
		out = append(out, s)
	}
	return out
}

func faultsOf(c *Carried) []string {
	var out []string
	for _, d := range c.Documents {
		for _, f := range d.Faults {
			out = append(out, fmt.Sprintf("%s %d %q", f.Kind, f.Span.Line, f.Span.Text()))
		}
	}
	return out
}

func one(t *testing.T, found []*Carried) *Carried {
	t.Helper()
	if len(found) != 1 {
		for _, c := range found {
			t.Logf("%s %q", c.Kind, c.Name)
		}
		t.Fatalf("%d configurations, want 1", len(found))
	}
	return found[0]
}

func equal(t *testing.T, what string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

const deployment = `apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata:
  namespace: jobs
  name: orders
spec:
  image: flink:1.18.1-java11
  flinkVersion: v1_18
  serviceAccount: flink
  flinkConfiguration:
    taskmanager.numberOfTaskSlots: "2"   # quoted
    state:
      backend.type: rocksdb
      checkpoints: {dir: "s3://b/#c"}
    rest.flamegraph.enabled: true
    pipeline.jars: [a, b]
    parallelism.default: 9
  jobManager:
    resource: {memory: "2Gi", cpu: 0.5}
  taskManager:
    resource:
      memory: 4g
      cpu: 2
    podTemplate:
      spec:
        containers:
          - name: flink-main-container
            env: [{name: A, value: b}]
            volumeMounts: [{name: data, mountPath: /data}]
        volumes:
          - name: data
            emptyDir: {}
  job:
    jarURI: local:///opt/flink/x.jar
    parallelism: 6
    upgradeMode: last-state
`

func TestFlinkDeployment(t *testing.T) {
	c := one(t, open(t, "dep.yaml", deployment))
	equal(t, "settings", []string{
		"execution.checkpointing.interval = 5 min (36)",
		"execution.checkpointing.externalized-checkpoint-retention = RETAIN_ON_CANCELLATION (0)",
		"taskmanager.numberOfTaskSlots = 2 (11)",
		"state.backend.type = rocksdb (13)",
		"state.checkpoints.dir = s3://b/#c (14)",
		"rest.flamegraph.enabled = true (15)",
		"pipeline.jars = a;b (16)",
		"kubernetes.container.image.ref = flink:1.18.1-java11 (7)",
		"kubernetes.service-account = flink (9)",
		"jobmanager.memory.process.size = 2147483648 (19)",
		"kubernetes.jobmanager.cpu.amount = 0.5 (19)",
		"taskmanager.memory.process.size = 4 gb (22)",
		"kubernetes.taskmanager.cpu.amount = 2.0 (23)",
		"parallelism.default = 6 (35)",
	}, effective(t, c))
	equal(t, "faults", []string{`cut-by-hash 14 "\"s3://b/#c\""`}, faultsOf(c))
	f := c.Facts
	if f.Flink.V.String() != "1.18.1" || f.Flink.Span.Line != 7 || f.Job.Parallelism.V != 6 || f.Job.Parallelism.Span.Line != 35 ||
		f.Deployment.Target.V != "kubernetes-operator" || f.Deployment.Mode.V != "application" || f.Name.V != "orders" {
		t.Errorf("facts: %+v", f)
	}
	m := c.Manifest
	if c.Name != "FlinkDeployment jobs/orders" || m.Job == nil || m.Job.UpgradeMode.V != "last-state" || m.Namespace.V != "jobs" || m.Head.Line != 5 {
		t.Errorf("manifest: %+v", m)
	}
	pod := m.TaskManager.PodTemplate
	main := pod.MainContainer()
	if main == nil || len(main.Env) != 1 || main.Env[0].Value.V != "b" || main.Mounts[0].Path.V != "/data" || pod.Volumes[0].Kind != "emptyDir" || m.JobManager.PodTemplate.MainContainer() != nil {
		t.Errorf("pod template: %+v", pod)
	}
}

func TestFlinkDeploymentOfFlink2IsStandardYAML(t *testing.T) {
	c := one(t, open(t, "d.yaml", "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: a}\nspec:\n  flinkVersion: v2_1\n  mode: standalone\n"+
		"  flinkConfiguration: {a.b: 'x#y', n: null}\n  taskManager: {replicas: 3}\n  job: {parallelism: 1}\n"))
	equal(t, "faults", []string{`empty-value 7 "null"`}, faultsOf(c))
	if c.Documents[0].Dialect != conf.YAML || c.Facts.Deployment.Target.V != "standalone" || c.Facts.Deployment.TaskManagers.V != 3 || c.Facts.Job.Parallelism.V != 3 {
		t.Errorf("%+v", c.Facts)
	}
	if got := effective(t, c); got[len(got)-1] != "parallelism.default = 3 (8)" {
		t.Errorf("replicas times slots decide: %v", got)
	}
	older := one(t, openAs(t, "d.yaml", deployment, version.Of(1, 15)))
	if got := strings.Join(effective(t, older), "\n"); !strings.Contains(got, "kubernetes.taskmanager.cpu = 2.0") || !strings.Contains(got, "kubernetes.container.image = ") {
		t.Errorf("the version asked for decides over the manifest's:\n%s", got)
	}
}

func TestSessionJobTakesTheVersionOfItsCluster(t *testing.T) {
	found := open(t, "all.yaml", "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: s}\nspec: {flinkVersion: v1_19}\n---\n"+
		"apiVersion: flink.apache.org/v1beta1\nkind: FlinkSessionJob\nmetadata: {name: j}\nspec:\n  deploymentName: s\n  job: {parallelism: 2}\n  flinkConfiguration: {a.b: c}\n")
	if len(found) != 2 || found[1].Kind != SessionJob || found[1].Version().String() != "1.19" || !found[1].Fragment || found[0].Facts.Deployment.Mode.V != "session" {
		t.Fatalf("%+v", found)
	}
}

func TestNewResourcesGoBeforeResource(t *testing.T) {
	c := one(t, open(t, "d.yaml", `apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata: {name: a}
spec:
  taskManager:
    resource: {memory: 1g, cpu: 1}
    resources:
      requests: {memory: 2Gi, cpu: 500m}
      limits: {memory: 3Gi}
`))
	equal(t, "settings", []string{"kubernetes.taskmanager.memory.limit-factor = 1.5 (9)", "taskmanager.memory.process.size = 2147483648 (8)", "kubernetes.taskmanager.cpu.amount = 0.5 (8)"}, effective(t, c))
}

func TestOperatorMemory(t *testing.T) {
	for text, want := range map[string]string{
		"2g": "2 gb", "2G": "2 gb", "2 gb": "2 gb", "2048m": "2 gb", "1500m": "1500 mb", "2Gi": "2147483648", "2GiB": "2147483648", "2 Gi": "2147483648", "512Mi": "536870912",
		"1.5Gi": "1610612736.0", "1.5g": "1500000000.0", "1.25Gi": "1342177280.00", "": "", "much": "much",
	} {
		if got := OperatorMemory(text); got != want {
			t.Errorf("OperatorMemory(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int64{"1Gi": 1 << 30, "1G": 1e9, "128974848": 128974848, "1e3": 1000, "1500m": 2, "0.5Ki": 512, "2Ei": 2 << 60} {
		if got, err := KubernetesBytes(text); int64(got) != want || err != nil {
			t.Errorf("KubernetesBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1GB", "1 Gi", "-1", "8Ei", "x"} {
		if got, err := KubernetesBytes(text); err == nil {
			t.Errorf("KubernetesBytes(%q) = %d", text, got)
		}
	}
	for text, want := range map[string]int64{"2g": 2 << 30, "512M": 512 << 20, "1.5gb": 3 << 29, "1024": 1024, "1GiB": 1 << 30} {
		if got, err := composeBytes(text); int64(got) != want || err != nil {
			t.Errorf("composeBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestConfigMapStandsWithItsWorkloads(t *testing.T) {
	found := open(t, "all.yaml", `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: flink-config, namespace: n}
  data:
    flink-conf.yaml: |+
      # note
      jobmanager.rpc.address: jm
      taskmanager.memory.process.size: 2g
      a.b:c

    log4j.properties: |
      rootLogger.level = INFO
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: taskmanager, namespace: n}
  spec:
    replicas: 3
    template:
      spec:
        containers:
        - name: taskmanager
          image: docker.io/library/flink:1.18.0
          args: ["taskmanager", "-Dtaskmanager.host=$(POD_IP)", -D, taskmanager.numberOfTaskSlots=4, "-Dlog4j.x=y"]
          resources: {limits: {memory: 3Gi, cpu: 1500m}}
        volumes:
        - name: c
          configMap: {name: flink-config}
- apiVersion: batch/v1
  kind: Job
  metadata: {name: jobmanager, namespace: n}
  spec:
    template:
      spec:
        containers:
        - name: jobmanager
          image: flink:1.18.0
          command: [/docker-entrypoint.sh]
          args: [standalone-job, -Dparallelism.default=2]
        volumes:
        - name: c
          configMap: {name: flink-config}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: other}
  spec: {template: {spec: {containers: [{name: x, image: nginx}]}}}
`)
	c := one(t, found)
	equal(t, "settings", []string{
		"jobmanager.rpc.address = jm (10)", "taskmanager.memory.process.size = 2g (11)", "parallelism.default = 2 (41)",
		"taskmanager.host = $(POD_IP) (26)", "taskmanager.numberOfTaskSlots = 4 (26)",
	}, effective(t, c))
	equal(t, "faults", []string{`no-separator 12 "a.b:c"`}, faultsOf(c))
	f := c.Facts
	if c.Kind != Workload || c.Fragment || f.Flink.V.String() != "1.18.0" || f.Deployment.TaskManagers.V != 3 || f.TaskManager.ContainerMemory.V != 3<<30 || f.TaskManager.CPU.V != 1.5 {
		t.Errorf("facts: %v %+v", c.Fragment, f)
	}
}

func TestConfigMapWithBothFiles(t *testing.T) {
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  config.yaml: |\n    taskmanager:\n      numberOfTaskSlots: 1\n" +
		"  flink-conf.yaml: \"taskmanager.numberOfTaskSlots: 2\\nparallelism.default: 3\\n\"\n  flink-conf-tm.yaml: |\n    rest.port: 1\n"
	found := open(t, "c.yaml", text)
	if len(found) != 2 || found[0].Name != "ConfigMap c" || found[1].Name != "ConfigMap c flink-conf-tm.yaml" {
		t.Fatalf("%d configurations", len(found))
	}
	equal(t, "before Flink 2", []string{"taskmanager.numberOfTaskSlots = 2 (8)", "parallelism.default = 3 (8)"}, effective(t, found[0]))
	equal(t, "faults before Flink 2", []string{`wrong-file-name 6 ""`}, faultsOf(found[0]))
	if s := found[0].Documents[0].Entries[1].ValueSpan; s.Text() != "3" {
		t.Errorf("an escaped text: the span holds %q", s.Text())
	}
	later := openAs(t, "c.yaml", text, version.Of(2, 0))[0]
	equal(t, "Flink 2", []string{"taskmanager.numberOfTaskSlots = 1 (7)"}, effective(t, later))
	if other := open(t, "c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  config.yaml: |\n    server: {port: 1}\n"); len(other) != 0 {
		t.Error("another program's config.yaml was read")
	}
}

const composeFile = `x-common: &common
  image: flink:%s
services:
  kafka:
    image: kafka:3
  jobmanager:
    <<: *common
    command: jobmanager -Drest.port=8082
    environment:
      - |
        FLINK_PROPERTIES=
        jobmanager.rpc.address: jobmanager
        env.java.opts.all: -Da=b -Dc=d
        # execution.checkpointing.interval: 1 min
        execution.checkpointing.timeout: 10 min
  taskmanager:
    <<: *common
    command: ["taskmanager"]
    scale: 2
    deploy:
      resources: {limits: {memory: 4g, cpus: '2'}}
    environment:
      FLINK_PROPERTIES: |
        jobmanager.rpc.address: jobmanager
        taskmanager.numberOfTaskSlots: ${SLOTS:-4}
        execution.checkpointing.timeout: 3 min
`

func TestCompose(t *testing.T) {
	c := one(t, open(t, "docker-compose.yml", fmt.Sprintf(composeFile, "1.20.1-java17")))
	equal(t, "settings of 1.20", []string{
		"jobmanager.memory.process.size = 1600m (0)", "taskmanager.memory.process.size = 1728m (0)", "parallelism.default = 1 (0)",
		"jobmanager.rpc.address = jobmanager (12)", "env.java.opts.all = -Da=b-Dc=d (13)", "execution.checkpointing.timeout = 10min (15)", "rest.port = 8082 (8)",
		"taskmanager.numberOfTaskSlots = ${SLOTS:-4} (25) placeholder",
	}, effective(t, c))
	equal(t, "faults of 1.20", []string{`blanks-deleted 13 "-Da=b -Dc=d"`}, faultsOf(c))
	f := c.Facts
	if f.Flink.V.String() != "1.20.1" || f.Deployment.TaskManagers.V != 2 || f.TaskManager.ContainerMemory.V != 4<<30 || f.TaskManager.CPU.V != 2 || f.Deployment.Target.V != "docker" {
		t.Errorf("facts: %+v", f)
	}
	older := one(t, open(t, "docker-compose.yml", fmt.Sprintf(composeFile, "1.17")))
	if got := strings.Join(effective(t, older), "\n"); !strings.Contains(got, "env.java.opts.all = -Da=b -Dc=d (13)") || len(faultsOf(older)) != 0 {
		t.Errorf("up to 1.18 the text is appended as it is:\n%s\n%v", got, faultsOf(older))
	}
	if found := open(t, "docker-compose.yml", "services:\n  web: {image: nginx}\n"); len(found) != 0 {
		t.Error("a compose file without Flink has a configuration")
	}
}

func TestPropertiesOfOtherForms(t *testing.T) {
	for _, env := range []string{
		`["FLINK_PROPERTIES=rest.port: 1\nrest.address: h"]`,
		`{FLINK_PROPERTIES: "rest.port: 1\nrest.address: h"}`,
		"\n      FLINK_PROPERTIES: >\n        rest.port: 1\n\n        rest.address: h",
	} {
		c := one(t, open(t, "compose.yml", "services:\n  flink:\n    image: flink:1.20\n    command: jobmanager\n    volumes: ['./conf:/opt/flink/conf']\n    environment: "+env+"\n"))
		var got []string
		for _, e := range c.Documents[0].Entries {
			got = append(got, e.Key+"="+e.ValueSpan.Text())
		}
		equal(t, env, []string{"rest.port=1", "rest.address=h"}, got)
		if !c.Fragment {
			t.Error("a mounted configuration is not a part of the whole")
		}
	}
}

func TestValuesClustersAndClassifications(t *testing.T) {
	c := one(t, open(t, "values.yaml", "app:\n  flinkVersion: v1_20\n  job: {parallelism: 4}\n  flinkConfiguration:\n    \"state.backend.type\": rocksdb\n  taskManager: {resource: {memory: 2Gi}}\n"))
	equal(t, "values", []string{"state.backend.type = rocksdb (5)", "taskmanager.memory.process.size = 2147483648 (6)", "parallelism.default = 4 (3)"}, effective(t, c))
	if got := c.Layers[1].Name; got != "taskManager.resource.memory" {
		t.Errorf("the layer is called %s", got)
	}
	if !c.Fragment || c.Kind != Values || c.Name != "app.flinkConfiguration" || c.Facts.Job.Parallelism.V != 4 || c.Version().String() != "1.20" {
		t.Errorf("%+v", c)
	}
	c = one(t, open(t, "cluster.yaml", "apiVersion: flinkoperator.k8s.io/v1beta1\nkind: FlinkCluster\nmetadata: {name: x}\nspec:\n  image: {name: \"flink:1.14.2\"}\n"+
		"  taskManager:\n    replicas: 2\n    resources: {limits: {memory: 2048Mi}}\n  flinkProperties:\n    taskmanager.numberOfTaskSlots: \"1\"\n"))
	equal(t, "cluster", []string{"taskmanager.numberOfTaskSlots = 1 (10)"}, effective(t, c))
	if c.Kind != Cluster || c.Version().String() != "1.14.2" || c.Facts.TaskManager.ContainerMemory.V != 2<<30 || c.Facts.Deployment.TaskManagers.V != 2 {
		t.Errorf("%+v", c.Facts)
	}
	c = one(t, open(t, "emr.json", `[{"Classification": "flink-conf", "Properties": {"taskmanager.numberOfTaskSlots": "2"}}]`))
	equal(t, "classification", []string{"taskmanager.numberOfTaskSlots = 2 (1)"}, effective(t, c))
	c = one(t, open(t, "operator-values.yaml", "defaultConfiguration:\n  create: true\n  flink-conf.yaml: |+\n    taskmanager.numberOfTaskSlots: 2\n"))
	equal(t, "operator values", []string{"taskmanager.numberOfTaskSlots = 2 (4)"}, effective(t, c))
}

func TestOperatorConfiguration(t *testing.T) {
	d, err := conf.ParseFlat(source.NewFile("operator.yaml", []byte(`a: 1
kubernetes.operator.default-configuration.flink-version.v1_20.a: 5
kubernetes.operator.default-configuration.flink-version.v1_19+.a: 4
kubernetes.operator.default-configuration.flink-version.v1_18+.a: 3
kubernetes.operator.default-configuration.flink-version.v2_0+.a: 6
kubernetes.operator.default-configuration.namespace.n.a: 2
kubernetes.operator.default-configuration.namespace.m.a: 9
`)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[string]string{"1.17": "2", "1.18": "3", "1.19": "4", "1.20": "5", "2.1": "6"} {
		e, err := conf.Merge(version.MustParse(v), OperatorConfiguration(d, "n", version.MustParse(v)))
		if err != nil || e.Entry("a").Value != want {
			t.Errorf("Flink %s: a = %+v, %v; want %s", v, e.Entry("a"), err, want)
		}
	}
}

func TestScripts(t *testing.T) {
	c := one(t, open(t, "job.sql", "-- SET 'no' = 'x';\nSET 'execution.checkpointing.interval' = '1 min';\nset table.exec.state.ttl = 1 h ;\nCREATE TABLE t (a STRING) WITH ('k;' = 'v');\n"+
		"/* SET 'a' = 'b'; */ SET 'pipeline.name' = 'it''s';\nEXECUTE STATEMENT SET BEGIN\nINSERT INTO t SELECT 1;\nEND;\n"))
	equal(t, "SQL", []string{"execution.checkpointing.interval = 1 min (2)", "table.exec.state.ttl = 1 h (3)", "pipeline.name = it's (5)"}, effective(t, c))
	c = one(t, open(t, "run.sh", "#!/bin/bash\nJAVA=1 java -Dx.y=z\n/opt/flink/bin/flink run-application -t yarn-application \\\n  -Dtaskmanager.memory.process.size=4g \\\n  -D \"rest.port=1\" # -Dnot.this=1\\\n\n"+
		"flink run -yD parallelism.default=3 ./job.jar -Dmy.own=1 && flink run -Drest.port=\"2 3\" $JAR\n"))
	equal(t, "script", []string{"taskmanager.memory.process.size = 4g (4)", "parallelism.default = 3 (7)", "rest.port = 2 3 (7)"}, effective(t, c))
	if found := append(open(t, "a.sql", "SELECT 1;"), open(t, "a.sh", "#!/bin/sh\necho -Da.b=c\n")...); len(found) != 0 {
		t.Error("a script without settings has a configuration")
	}
}

func TestTemplatesAreNoFaults(t *testing.T) {
	c := one(t, open(t, "templates/dep.yaml", `{{- $x := include "a" . -}}
apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata:
  name: {{ include "name" . }}
  labels:
{{ include "labels" . | indent 4 }}
spec:
  image: "{{ .Values.image }}:{{ .Values.tag }}"
  flinkVersion: {{ .Values.flinkVersion }}
  flinkConfiguration:
    taskmanager.numberOfTaskSlots: "{{ .Values.slots }}"
    {{- if .Values.ha }}
    high-availability.type: kubernetes
    {{- else }}
    high-availability.type: none
    {{- end }}
    state.backend.type: rocksdb
    {{- range $k, $v := .Values.conf }}
    {{ $k }}: {{ $v | quote }}
    {{- end }}
  job:
    parallelism: {{ .Values.parallelism | default 2 }}
    upgradeMode: stateless
`))
	equal(t, "settings", []string{
		"execution.checkpointing.externalized-checkpoint-retention = RETAIN_ON_CANCELLATION (0)",
		"taskmanager.numberOfTaskSlots = {{ .Values.slots }} (12) placeholder", "high-availability.type = none (16)", "state.backend.type = rocksdb (18)",
	}, effective(t, c))
	equal(t, "faults", nil, faultsOf(c))
	if !c.Templated || c.Version().Known() || c.Facts.Job.Parallelism.Known || c.Manifest.Name.Known {
		t.Errorf("what a template fills in is known: %+v", c.Facts)
	}
	c = one(t, open(t, "cm.yaml", `apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data:
  flink-conf.yaml: |+
    jobmanager.rpc.address: {{ .Release.Name }}-jm
    {{- if .Values.more }}
{{ .Values.more | indent 4 }}
    {{- end }}
    rest.port: 8081
    rest.port: 8082
`))
	equal(t, "ConfigMap", []string{"jobmanager.rpc.address = {{ .Release.Name }}-jm (6) placeholder", "rest.port = 8082 (11)"}, effective(t, c))
	equal(t, "ConfigMap's faults", nil, faultsOf(c))
}

func TestMalformedManifestIsToldOnce(t *testing.T) {
	c := one(t, open(t, "tm.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: flink\nspec:\n  containers:\n  - name: taskmanager\n      image: flink:1.18\n      args: [taskmanager]\n"))
	equal(t, "faults", []string{`malformed-manifest 8 "image: flink:1.18"`}, faultsOf(c))
	if !c.Documents[0].Faults[0].Fatal {
		t.Error("kubectl refuses such a file")
	}
}

func TestWhatIsNotFlinkHasNoConfiguration(t *testing.T) {
	for name, text := range map[string]string{
		"values.yaml": "image: {repository: flink, tag: 1.18}\njobmanager: {replicas: 1}\n", "application.yml": "spring:\n  datasource: {url: x}\n",
		"svc.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: flink}\nspec: {ports: []}\n", "Dockerfile": "FROM flink:1.18\nENV FLINK_PROPERTIES=x\n",
		"flink.docker": "# syntax=docker/dockerfile:1\nARG V=1.18\nFROM flink:$V\nENV FLINK_PROPERTIES=\"\\\nparallelism.default: 2\\n\\\nstate.backend: hashmap\\n\\\n\"\n", "main.tf": "a = 1\n",
		"notes.txt": "hello: world\n", "op.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: flink-kubernetes-operator}\nspec: {template: {spec: {containers: [{name: flink-kubernetes-operator, image: apache/flink-kubernetes-operator, args: [operator]}]}}}\n",
	} {
		if found := open(t, name, text); len(found) != 0 {
			t.Errorf("%s has a configuration: %s %v", name, found[0].Kind, effective(t, found[0]))
		}
	}
	for name, text := range map[string]string{"my.yaml": "taskmanager.numberOfTaskSlots: 2\n", "-": "my.key: 1\n", "config.yaml": "my: {key: 1}\n", "x/flink-conf.yaml.j2": "my.key: 1\n"} {
		if found := open(t, name, text); len(found) != 1 || found[0].Kind != File {
			t.Errorf("%s has no configuration", name)
		}
	}
}

func TestAliasesDoNotUnfoldForEver(t *testing.T) {
	for name, text := range map[string]string{
		"within itself": "a: &a\n  flinkProperties: {x.y: z}\n  b: *a\n  c: *a\n  d: *a\n",
		"merged":        "flinkConfiguration: &a\n  <<: *a\n  x: *a\n  y: *a\n  taskmanager.numberOfTaskSlots: 1\n",
		"lists":         "apiVersion: v1\nkind: List\nitems: &l [*l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l, *l]\n",
	} {
		if _, err := Open(source.NewFile("x.yaml", []byte(text)), conf.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
