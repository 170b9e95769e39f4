declare module "s3rver" {
  interface ListOptions {
    delimiter?: string;
    prefix?: string;
  }
  interface Listed {
    objects: { key: string }[];
    commonPrefixes: string[];
  }
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      allowMismatchedSignatures: boolean;
      configureBuckets: { name: string }[];
    });
    store: { listObjects(bucket: string, options: ListOptions): Promise<Listed> };
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
