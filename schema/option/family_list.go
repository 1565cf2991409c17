package option

// families is ordered: a typed member stands before the open pattern that would swallow it.
var families = []family{
	// ReporterSetup and MetricOptions; the rest below the name is handed to the reporter. The name has no dot.
	{"metrics.reporter.<name>.factory.class", String, String, noDefault, line{}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.class", String, String, noDefault, line{}, line{1, 20}, "MetricOptions"},
	{"metrics.reporter.<name>.interval", String, String, noDefault, line{}, line{1, 10}, "MetricOptions"},
	{"metrics.reporter.<name>.interval", Duration, String, "10 s", line{1, 11}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.scope.delimiter", String, String, ".", line{}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.scope.variables.excludes", String, String, "", line{}, line{1, 15}, "ConfigConstants"},
	{"metrics.reporter.<name>.scope.variables.excludes", String, String, ".", line{1, 16}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.scope.variables.additional", Map, String, "", line{1, 16}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.filter.includes", List, String, "*:*:*", line{1, 16}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.filter.excludes", List, String, "", line{1, 16}, line{}, "MetricOptions"},
	{"metrics.reporter.<name>.**", String, String, noDefault, line{}, line{}, "MetricOptions"},
	// TraceReporterSetup and TraceOptions.
	{"traces.reporter.<name>.factory.class", String, String, noDefault, line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.scope.delimiter", String, String, ".", line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.scope.variables.excludes", String, String, ".", line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.scope.variables.additional", Map, String, "", line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.filter.includes", List, String, "*:*:*", line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.filter.excludes", List, String, "", line{1, 19}, line{}, "TraceOptions"},
	{"traces.reporter.<name>.**", String, String, noDefault, line{1, 19}, line{}, "TraceOptions"},
	// EventReporterSetup and EventOptions.
	{"events.reporter.<name>.factory.class", String, String, noDefault, line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.scope.delimiter", String, String, ".", line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.scope.variables.excludes", String, String, ".", line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.scope.variables.additional", Map, String, "", line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.filter.includes", List, String, "*:*:*", line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.filter.excludes", List, String, "", line{2, 1}, line{}, "EventOptions"},
	{"events.reporter.<name>.**", String, String, noDefault, line{2, 1}, line{}, "EventOptions"},
	// ExternalResourceOptions; the name must be listed in external-resources.
	{"external-resource.<name>.amount", Long, String, noDefault, line{1, 11}, line{}, "ExternalResourceOptions"},
	{"external-resource.<name>.driver-factory.class", String, String, noDefault, line{1, 11}, line{}, "ExternalResourceOptions"},
	{"external-resource.<name>.kubernetes.config-key", String, String, noDefault, line{1, 11}, line{}, "ExternalResourceOptions"},
	{"external-resource.<name>.yarn.config-key", String, String, noDefault, line{1, 11}, line{}, "ExternalResourceOptions"},
	{"external-resource.<name>.param.**", String, String, noDefault, line{1, 11}, line{}, "ExternalResourceOptions"},
	// SecurityOptions.forProvider and the providers' own keys.
	{"security.delegation.token.provider.<service>.enabled", Boolean, String, "true", line{1, 17}, line{}, "SecurityOptions"},
	{"security.delegation.token.provider.<service>.**", String, String, noDefault, line{1, 17}, line{}, "SecurityOptions"},
	{"security.delegation.token.receiver.<service>.**", String, String, noDefault, line{1, 17}, line{}, "SecurityOptions"},
	// ResourceManagerOptions: environment variables of the containers (YARN, native Kubernetes).
	{"containerized.master.env.**", String, String, noDefault, line{}, line{}, "ResourceManagerOptions"},
	{"containerized.taskmanager.env.**", String, String, noDefault, line{}, line{}, "ResourceManagerOptions"},
	{"yarn.application-master.env.**", String, String, noDefault, line{}, line{1, 20}, "YarnEntrypointUtils"},
	{"yarn.taskmanager.env.**", String, String, noDefault, line{}, line{1, 20}, "YarnEntrypointUtils"},
	// HadoopUtils and the YARN client: the prefix is cut and the rest goes into Hadoop's configuration.
	{"flink.hadoop.**", String, String, noDefault, line{}, line{}, "HadoopUtils"},
	{"flink.yarn.**", String, String, noDefault, line{}, line{}, "YarnClusterDescriptor"},
	// CoreOptions.fileSystemConnectionLimit and its companions, and 2.3's fileSystemFactoryPriority.
	{"fs.<scheme>.limit.total", Int, String, "-1", line{}, line{}, "CoreOptions"},
	{"fs.<scheme>.limit.input", Int, String, "-1", line{}, line{}, "CoreOptions"},
	{"fs.<scheme>.limit.output", Int, String, "-1", line{}, line{}, "CoreOptions"},
	{"fs.<scheme>.limit.timeout", Long, String, "0", line{}, line{}, "CoreOptions"},
	{"fs.<scheme>.limit.stream-timeout", Long, String, "0", line{}, line{}, "CoreOptions"},
	{"fs.<scheme>.priority.**", Int, String, noDefault, line{2, 3}, line{}, "CoreOptions"},
	{"fs.hdfs.hdfsdefault", String, String, noDefault, line{}, line{1, 20}, "ConfigConstants"},
	{"fs.hdfs.hdfssite", String, String, noDefault, line{}, line{1, 20}, "ConfigConstants"},
	{"fs.hdfs.hadoopconf", String, String, noDefault, line{}, line{1, 20}, "ConfigConstants"},
	// HadoopConfigLoader and its users: the prefix is replaced by the Hadoop file system's own.
	{"s3.**", String, String, noDefault, line{}, line{}, "S3FileSystemFactory"},
	{"s3a.**", String, String, noDefault, line{}, line{}, "S3FileSystemFactory"},
	{"fs.s3.**", String, String, noDefault, line{}, line{}, "S3FileSystemFactory"},
	{"fs.s3a.**", String, String, noDefault, line{}, line{}, "S3FileSystemFactory"},
	{"presto.s3.**", String, String, noDefault, line{}, line{}, "S3FileSystemFactory"},
	{"fs.azure.**", String, String, noDefault, line{}, line{}, "AbstractAzureFSFactory"},
	{"azure.**", String, String, noDefault, line{}, line{}, "AbstractAzureFSFactory"},
	{"gs.**", String, String, noDefault, line{}, line{}, "ConfigUtils"},
	{"fs.gs.**", String, String, noDefault, line{}, line{}, "ConfigUtils"},
	{"fs.oss.**", String, String, noDefault, line{}, line{}, "OSSFileSystemFactory"},
	// The Hive connector left Flink's repository with 2.0; its options are its own since.
	{"table.exec.hive.**", String, String, noDefault, line{2, 0}, line{}, "HiveOptions"},
	// Kinds whose factory takes the keys below their own name.
	{"table.catalog-store.<kind>.**", String, String, noDefault, line{1, 18}, line{}, "CommonCatalogOptions"},
	{"table.secret-store.<kind>.**", String, String, noDefault, line{2, 3}, line{}, "CommonSecretOptions"},
	{"sql-gateway.endpoint.<id>.**", String, String, noDefault, line{1, 16}, line{}, "SqlGatewayEndpointFactoryUtils"},
	{"workflow-scheduler.<type>.**", String, String, noDefault, line{1, 20}, line{}, "WorkflowSchedulerFactoryUtil"},
	// Stateful Functions, a runtime of its own on top of Flink, reads the cluster's configuration too.
	{"statefun.**", String, String, noDefault, line{}, line{}, "StatefulFunctionsConfig"},
	// The Kubernetes operator: configuration of its own in front of Flink's.
	{"kubernetes.operator.default-configuration.namespace.<namespace>.**", String, String, noDefault, line{}, line{}, "FlinkConfigManager"},
	{"kubernetes.operator.default-configuration.flink-version.<version>.**", String, String, noDefault, line{}, line{}, "FlinkConfigManager"},
	{"kubernetes.operator.metrics.reporter.<name>.**", String, String, noDefault, line{}, line{}, "OperatorMetricUtils"},
	{"kubernetes.operator.plugins.listeners.<name>.**", String, String, noDefault, line{}, line{}, "ListenerUtils"},
	{"job.autoscaler.metrics.custom-evaluator.<name>.**", String, String, noDefault, line{}, line{}, "AutoscalerUtils"},
	{"job.autoscaler.scaling.custom-executor.<name>.**", String, String, noDefault, line{}, line{}, "AutoscalerUtils"},
	{"job.autoscaler.scaling.parallelism-alignment.mode.<name>.**", String, String, noDefault, line{}, line{}, "AutoscalerUtils"},
}
