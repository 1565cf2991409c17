package conformance;

import org.apache.flink.api.common.resources.CPUResource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.resourcemanager.ResourceManagerRuntimeServicesConfiguration;
import org.apache.flink.runtime.resourcemanager.WorkerResourceSpec;
import org.apache.flink.runtime.resourcemanager.WorkerResourceSpecFactory;
import org.apache.flink.runtime.resourcemanager.active.ActiveResourceManagerFactory;
import org.apache.flink.runtime.resourcemanager.active.ResourceManagerDriver;

/**
 * How an active ResourceManager (native Kubernetes, YARN) sizes its TaskManagers, 1.13 and newer. flink-kubernetes itself is
 * not served for every version, so these are the two abstract classes of flink-runtime that it fills in; what it adds is
 * which CPU option is the fallback.
 */
final class NativeKubernetes extends ActiveResourceManagerFactory<ResourceID> {

    static TaskExecutorProcessSpec derive(Configuration conf, double cpuFallback) throws Exception {
        CPUResource cpu = TaskExecutorProcessUtils.getCpuCoresWithFallback(conf, cpuFallback);
        WorkerResourceSpec worker = new WorkerResourceSpecFactory() {
            @Override
            public WorkerResourceSpec createDefaultWorkerResourceSpec(Configuration c) {
                return workerResourceSpecFromConfigAndCpu(c, cpu);
            }
        }.createDefaultWorkerResourceSpec(conf);
        Configuration effective = new NativeKubernetes().getEffectiveConfigurationForResourceManager(conf);
        return TaskExecutorProcessUtils.processSpecFromWorkerResourceSpec(effective, worker);
    }

    @Override
    protected ResourceManagerDriver<ResourceID> createResourceManagerDriver(Configuration c, String webInterface, String rpcAddress) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected ResourceManagerRuntimeServicesConfiguration createResourceManagerRuntimeServicesConfiguration(Configuration c) {
        throw new UnsupportedOperationException();
    }
}
